"""Calls a function when a module is imported."""

import sys


class _Finder:
    """Finds one module as the others do."""

    def __init__(self, name, then):
        self._name, self._then = name, then

    def find_spec(self, name, path=None, target=None):
        if name != self._name:
            return None
        # Not importlib.util.find_spec, which would ask this finder again.
        others = [getattr(each, "find_spec", None) for each in sys.meta_path if each is not self]
        specs = (find(name, path, target) for find in others if find is not None)
        spec = next((found for found in specs if found is not None), None)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            # Many may look for it, and one that only looks may be the first: what counts is that it is imported.
            if self in sys.meta_path:
                sys.meta_path.remove(self)
                self._then(module)

        spec.loader.exec_module = exec_module
        return spec


def after_import(name, then):
    """Calls then(module) once the module is imported, or now if it is. Returns a function that ends the wait."""
    if name in sys.modules:
        then(sys.modules[name])
        return lambda: None
    finder = _Finder(name, then)
    sys.meta_path.insert(0, finder)
    return lambda: sys.meta_path.remove(finder) if finder in sys.meta_path else None
