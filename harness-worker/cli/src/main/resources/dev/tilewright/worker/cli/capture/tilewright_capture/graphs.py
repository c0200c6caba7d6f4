"""Counts the GEMMs of CUDA graphs: those that were captured, as often as the graph is replayed."""

from . import notice


class Graph:
    """What one graph holds; order has the keys in the order of their capture."""

    def __init__(self):
        self.counts = {}
        self.order = []
        self.behind = {}
        self.replays = 0


class Graphs:
    """Follows the capture and the replay of all graphs of torch.cuda."""

    def __init__(self, torch, calls):
        self.graphs = []
        self.replayed = None
        self._calls = calls
        self._class = getattr(getattr(torch, "cuda", None), "CUDAGraph", None)
        self._kept = {}

    def install(self):
        if self._class is None:
            notice.say("torch.cuda.CUDAGraph is missing: graphs are not recorded")
            return
        calls, graphs = self._calls, self

        def capture_begin(graph, *args, **kwargs):
            mine = Graph()
            graph.__dict__["_tilewright"] = mine
            # With an order the recorder leaves the hooks as they are: it is there before they are looked at.
            calls.into, calls.behind_into, calls.order = mine.counts, mine.behind, mine.order
            try:
                graphs._count()
                result = original["capture_begin"](graph, *args, **kwargs)
            except BaseException:
                calls.into, calls.behind_into, calls.order = calls.counts, calls.behind, None
                raise
            graphs.graphs.append(mine)
            return result

        def capture_end(graph, *args, **kwargs):
            calls.into, calls.behind_into, calls.order = calls.counts, calls.behind, None
            return original["capture_end"](graph, *args, **kwargs)

        def replay(graph, *args, **kwargs):
            mine = graph.__dict__.get("_tilewright")
            if mine is not None:
                mine.replays += 1
                if graphs.replayed is not None:
                    graphs.replayed.append(mine)
            return original["replay"](graph, *args, **kwargs)

        original = {name: getattr(self._class, name) for name in ("capture_begin", "capture_end", "replay")}
        self._kept = original
        for name, patched in (("capture_begin", capture_begin), ("capture_end", capture_end), ("replay", replay)):
            setattr(self._class, name, patched)

    def _count(self):
        """Counts, also in a pause: a graph is captured once and replayed often."""
        try:
            self._calls.install()
        except Exception as fault:
            notice.say("a graph is not recorded: " + notice.named(fault))

    def remove(self):
        for name, method in self._kept.items():
            setattr(self._class, name, method)
        self._kept = {}
