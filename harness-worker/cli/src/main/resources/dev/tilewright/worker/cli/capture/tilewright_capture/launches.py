"""Keeps the launches of Triton's kernels: each variant with its grids, arguments and constexprs.

`JITFunction.run` launches every kernel of Triton 3.2 to 3.6, and so it is what is replaced. It takes a function in
place of a grid, and calls it with all arguments by name: so the grid is asked for once, as without a recording. What
it returns is the compiled kernel, whose hash is that of its entry in Triton's cache.
"""

import math
import numbers
import threading

from . import imports, notice

# So the file stays below what its reader takes.
MOST_KERNELS = 256
MOST_LAUNCHES = 8


class Kernel:
    """One variant. launches: by grid and arguments, launches outside of trials of an autotuner, and such trials."""

    def __init__(self, said, passed):
        self.said, self.passed = said, passed
        self.launches = {}
        self.more = 0


class Launches:
    """Sees all launches of a process while `counting`; of a variant that is not known yet the first one always."""

    def __init__(self):
        self.kernels = {}
        self.autotuned = {}
        self.left_out = 0
        self.faults = {}
        self.hooked = 0
        self.counting = True
        self._off = False
        self._trial = threading.local()  # launches: of the trial that this thread is in; None outside
        self._replaced = []
        self._waits = []

    def install(self):
        """Hooks Triton now, or when the program imports it."""
        self._waits = [
            imports.after_import("triton.runtime.jit", self._hook_launches),
            imports.after_import("triton.runtime.autotuner", self._hook_autotuner),
        ]

    def remove(self):
        """Takes the hooks away; one that another tool has hooked since stays, and does nothing."""
        self._off = True
        for end in self._waits:
            end()
        for owner, name, before, hook in self._replaced:
            if getattr(owner, name, None) is hook:
                setattr(owner, name, before)

    def clear(self):
        """A forked process begins anew."""
        self.kernels, self.autotuned = {}, {}
        self.hooked = self.left_out = 0

    def _replace(self, owner, name, hook):
        self._replaced.append((owner, name, getattr(owner, name), hook))
        setattr(owner, name, hook)

    def _hook_launches(self, module):
        kind = getattr(module, "JITFunction", None)
        before = getattr(kind, "run", None)
        if self._off:
            return
        if before is None:
            notice.say("triton.runtime.jit.JITFunction.run is missing: kernels of Triton are not recorded")
            return

        def run(function, *args, **kwargs):
            grid = kwargs.get("grid")
            # A trial launches a thousand times: the first says all, and the others cost the program nothing.
            if self._off or grid is None or kwargs.get("warmup") or self._launches_of_trial():
                return before(function, *args, **kwargs)
            seen = []

            def asked(bound):
                extents = grid(bound) if callable(grid) else grid
                seen[:] = [extents, bound]
                return extents

            kwargs["grid"] = asked
            kernel = before(function, *args, **kwargs)
            if kernel is not None and seen:
                try:
                    self._add(function, kernel, *seen)
                except Exception as fault:  # What cannot be described must not end the program.
                    self.faults[getattr(function, "__name__", "?")] = notice.named(fault)
            return kernel

        self._replace(kind, "run", run)

    def _hook_autotuner(self, module):
        tuner = getattr(module, "Autotuner", None)
        run, bench = getattr(tuner, "run", None), getattr(tuner, "_bench", None)
        if self._off:
            return
        if run is None or bench is None:
            notice.say("triton.runtime.autotuner.Autotuner._bench is missing: its trials count as launches")
            return

        def launched(autotuner, *args, **kwargs):
            if not self._off and id(autotuner) not in self.autotuned:
                try:
                    self.autotuned[id(autotuner)] = (autotuner, _configs(autotuner))
                except Exception as fault:
                    self.faults["autotuner"] = notice.named(fault)
            return run(autotuner, *args, **kwargs)

        def tried(*args, **kwargs):
            self._trial.launches = 0
            try:
                return bench(*args, **kwargs)
            finally:
                self._trial.launches = None

        self._replace(tuner, "run", launched)
        self._replace(tuner, "_bench", tried)

    def _launches_of_trial(self):
        return getattr(self._trial, "launches", None)

    def _add(self, function, kernel, grid, bound):
        in_trial = self._launches_of_trial() is not None
        if in_trial:
            self._trial.launches += 1
        variant = self.kernels.get(kernel.hash)
        if variant is None:
            if len(self.kernels) >= MOST_KERNELS:
                self.left_out += 1
                return
            variant = self.kernels[kernel.hash] = _described(function, kernel, bound)
        elif not self.counting:
            return
        self.hooked += 1
        key = (tuple(grid), tuple([_value(bound[name]) for name in variant.passed]))
        counts = variant.launches.get(key)
        if counts is None:
            if len(variant.launches) >= MOST_LAUNCHES:
                variant.more += 1
                return
            counts = variant.launches[key] = [0, 0]
        counts[1 if in_trial else 0] += 1

    def document(self):
        """All that was seen: docs/triton.schema.json describes it. None if no kernel was launched."""
        if not self.kernels:
            return None
        said = {"kernels": []}
        for kernel in list(self.kernels.values()):
            try:
                said["kernels"].append(_listed(kernel))
            except Exception as fault:
                self.faults[kernel.said["name"]] = notice.named(fault)
        if self.autotuned:
            said["autotuned"] = [configs for _, configs in list(self.autotuned.values())]
        if self.left_out:
            said["leftOut"] = self.left_out
        if self.faults:
            said["faults"] = dict(self.faults)
        return said


def _value(value):
    """A number, or shape and strides of a tensor: what identifies a launch."""
    if hasattr(value, "data_ptr"):
        return (tuple(value.shape), tuple(value.stride()))
    if value is None or isinstance(value, (bool, str, numbers.Number)):
        return value
    return str(value)


def _name(key, names):
    """The argument that a constant belongs to: Triton 3.2 has names or numbers, later ones paths such as (3,)."""
    if isinstance(key, tuple):
        key = key[0] if len(key) == 1 else None
    return names[key] if isinstance(key, int) and key < len(names) else key


def _constant(value):
    value = getattr(value, "value", value)
    # JSON has no other numbers than finite ones.
    plain = isinstance(value, (bool, int, str)) or isinstance(value, float) and math.isfinite(value)
    return value if value is None or plain else str(value)


def _described(function, kernel, bound):
    names = list(bound)
    declared = {parameter.name for parameter in function.params if parameter.is_constexpr}
    source = getattr(kernel, "src", None)
    types = {_name(key, names): str(kind) for key, kind in (getattr(source, "signature", None) or {}).items()}
    constants = getattr(source, "constants", None) or getattr(source, "constexprs", None) or {}
    constant = {_name(key, names) for key in constants} | {name for name in names if types.get(name) == "constexpr"}
    passed = [name for name in names if name not in declared and name not in constant]
    metadata = kernel.metadata
    said = {
        "name": str(metadata.name),
        "hash": str(kernel.hash),
        "warps": int(metadata.num_warps),
        "stages": int(getattr(metadata, "num_stages", 0)),
        "ctas": int(getattr(metadata, "num_ctas", 1)),
        "shared": int(metadata.shared),
        "constexprs": {name: _constant(bound[name]) for name in names if name in declared},
        # Triton compiles a 1 and a None into the kernel: they are no parameters of it.
        "specialised": {name: _constant(bound[name]) for name in names if name in constant and name not in declared},
        "arguments": [{"name": name, "type": types.get(name, "?")} for name in passed],
    }
    return Kernel(said, passed)


def _configs(autotuner):
    function = autotuner.fn
    while not hasattr(function, "params") and hasattr(function, "fn"):
        function = function.fn
    return {
        "name": str(function.__name__),
        "configs": [
            {
                "constexprs": {name: _constant(value) for name, value in config.kwargs.items()},
                "warps": config.num_warps,
                "stages": config.num_stages,
                "ctas": getattr(config, "num_ctas", 1),
            }
            for config in autotuner.configs
        ],
    }


def _listed(kernel):
    launches = []
    # A copy: another thread may launch meanwhile.
    for (grid, values), (count, trials) in list(kernel.launches.items()):
        said = {"grid": [int(extent) for extent in grid], "count": count}
        if trials:
            said["trials"] = trials
        said["values"] = [
            {name: [int(each) for each in extents] for name, extents in zip(("shape", "strides"), value)}
            if isinstance(value, tuple)
            else _constant(value)
            for value in values
        ]
        launches.append(said)
    return dict(kernel.said, launches=launches, **({"more": kernel.more} if kernel.more else {}))
