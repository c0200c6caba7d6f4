"""The one name that the signature of a kernel needs."""


class constexpr:
    pass
