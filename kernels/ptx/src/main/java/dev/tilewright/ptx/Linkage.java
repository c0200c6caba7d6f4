package dev.tilewright.ptx;

/** The visibility of a kernel, function or variable to other modules. PTX 11.6. */
public enum Linkage {
    /** Visible only in its module; written as nothing. */
    LOCAL(""),
    /** Other modules too. */
    VISIBLE(".visible"),
    /** Other modules too; one of several of that name stands for all. */
    WEAK(".weak"),
    /** Defined in another module. */
    EXTERN(".extern"),
    /** Variables alone: all of that name are one. */
    COMMON(".common");

    private final String ptx;

    Linkage(String ptx) {
        this.ptx = ptx;
    }

    public String ptx() {
        return ptx;
    }
}
