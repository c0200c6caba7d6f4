"""Counts the GEMMs of CUDA graphs: those that were captured, as often as the graph is replayed."""


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
            return
        calls, graphs = self._calls, self

        def capture_begin(graph, *args, **kwargs):
            mine = Graph()
            graph.__dict__["_tilewright"] = mine
            result = original["capture_begin"](graph, *args, **kwargs)
            graphs.graphs.append(mine)
            calls.into, calls.behind_into, calls.order = mine.counts, mine.behind, mine.order
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

    def remove(self):
        for name, method in self._kept.items():
            setattr(self._class, name, method)
        self._kept = {}
