"""The part of CuPy that the kernel wrappers need, over NumPy and CUDA on the CPU.

`tests/support/fake_cupy` is the strict emulator; here arrays are NumPy's, and only kernels are special.
"""

import types
import weakref
from typing import Any

import numpy as np

from tests.support.cuda_on_cpu import compile_module


class Array(np.ndarray):
    """An array with CuPy's address attributes; live arrays are registered with the emulation."""

    def __array_finalize__(self, made_from: Any) -> None:
        _living[id(self)] = self

    @property
    def data(self) -> Any:
        return types.SimpleNamespace(ptr=self.ctypes.data)


class RawModule:
    """A source's kernels; a launch may access all arrays of the device."""

    def __init__(self, *, code: str, options: tuple[str, ...]):
        self._module = compile_module(code, options)

    def get_function(self, name: str) -> Any:
        assert name in self._module.kernels, name

        def launch(grid, block, args, shared_mem=0):
            args = [
                a.view(np.ndarray) if isinstance(a, Array) else getattr(a, "ptr", a) for a in args
            ]
            memory = [a.view(np.ndarray) for a in list(_living.values()) if a.flags.owndata]
            self._module.launch(name, grid, block, args, shared_mem, memory=memory)

        return types.SimpleNamespace(kernel=launch)


_living: weakref.WeakValueDictionary[int, Array] = weakref.WeakValueDictionary()


class Device(types.ModuleType):
    """`xp`: NumPy's functions, returning arrays with addresses."""

    def __init__(self) -> None:
        super().__init__("device")
        self.RawModule = RawModule
        runtime = types.SimpleNamespace(getDevice=lambda: 0)
        self.cuda = types.SimpleNamespace(runtime=runtime)

    def asarray(self, values: Any, dtype: Any = None) -> Array:
        return np.array(values, dtype).view(Array).copy()

    def __getattr__(self, name: str) -> Any:
        results = getattr(np, name)
        if isinstance(results, type) or not callable(results):
            return results

        def call(*args, **kwargs):
            result = results(*args, **kwargs)
            if isinstance(result, np.ndarray) and not isinstance(result, Array):
                return result.view(Array).copy()  # owns its memory, as required for address tables
            return result

        return call


xp = Device()
