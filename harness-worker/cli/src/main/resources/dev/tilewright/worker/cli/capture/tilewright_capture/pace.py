"""Keeps the cost of counting below a share of the program's time."""


class Pace:
    """Says whether to count now.

    cost: seconds that counting adds to a call. Counting stops while it has cost more than SHARE of the time since the
    beginning, and goes on when it costs less than that again. The first calls are counted whatever they cost: a program
    whose steps are short has then shown each of them.
    """

    SHARE = 0.03
    FIRST_CALLS = 1000

    def __init__(self, cost):
        self.cost = cost
        self.observed = 0.0
        self.counts = True
        self._since = 0.0

    def now(self, seconds, calls, traced=False):
        """Whether to count from now on, so many seconds and counted calls from the beginning on; a trace counts always."""
        if self.counts:
            self.observed += seconds - self._since
        self._since = seconds
        self.counts = traced or calls < self.FIRST_CALLS or calls * self.cost <= self.SHARE * seconds
        return self.counts
