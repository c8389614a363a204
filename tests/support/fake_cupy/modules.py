"""The modules cupy, cupyx and their submodules, with exactly the real names."""

import types
from importlib.machinery import ModuleSpec

import numpy as np

from tests.support.fake_cupy import (
    array,
    creation,
    decompositions,
    devices,
    errors,
    functions,
    memory,
    overrides,
    padding,
    pinned,
    pool,
    raw,
    runtime,
    streams,
    ufuncs,
)
from tests.support.fake_cupy.capture import Graph
from tests.support.fake_cupy.extras import CUPYX, LINALG
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.nccl import NCCL
from tests.support.fake_cupy.signatures import names, table
from tests.support.lazy_modules import LazyModule

VALUES = {"pi": np.pi, "e": np.e, "inf": np.inf, "nan": np.nan, "newaxis": None}


class Module(types.ModuleType):
    """A module that creates its attributes on first access, if the real module has them."""

    def __init__(self, name, own=(), source=None):
        super().__init__(name)
        self.__path__, self.__spec__ = [], ModuleSpec(name, None)
        self.__dict__.update(own)
        self.__dict__["_source"] = source

    def __getattr__(self, name):
        row = None if name.startswith("_") else table().get(f"{self.__name__}.{name}")
        attribute = row and make(self.__name__, name, row, self._source)
        if attribute is None:
            if row is not None:
                raise AttributeError(
                    f"the real {self.__name__} has {name!r}, the fake does not know it yet"
                )
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        if row.kind != "value" or attribute[0] is not None:
            self.__dict__[name] = attribute[0]
        return attribute[0]

    def __dir__(self):
        return sorted(names(self.__name__))


def make(module, name, row, source):
    """(object,) for a name of the real package, or None if it cannot be emulated by NumPy's."""
    if row.kind == "ufunc":
        function = ufuncs.implementation(module, name)
        if function is None:
            return None
        return (ufuncs.ufunc(name, row.extra.split(), function),)
    if row.kind == "value":
        if row.extra and row.extra not in ("nan", "inf", "-inf"):
            return (eval(row.extra, {"__builtins__": {}}),)
        return (getattr(np, name),) if hasattr(np, name) else (VALUES.get(name),)
    original = getattr(source, name, None) if source is not None else None
    if original is None or name in functions.UNKNOWN:
        return None
    if isinstance(original, type):
        # Its number types are NumPy's; NumPy's generators would create host arrays.
        return None if module == "cupy.random" else (original,)
    if name == "default_rng":
        return None
    return (functions.from_numpy(f"{module}.{name}", original, name),)


def strict(module, own):
    """Wraps special implementations to enforce the real parameters."""
    return {name: functions.strict(f"{module}.{name}", function) for name, function in own.items()}


def using_stream_functions():
    return {
        "Stream": streams.Stream,
        "ExternalStream": streams.ExternalStream,
        "Event": streams.Event,
        "get_current_stream": streams.get_current_stream,
        "get_elapsed_time": streams.get_elapsed_time,
    }


def build():
    """Builds all modules: name -> module."""
    functions.add_methods()
    for name, method in overrides.METHODS.items():
        setattr(array.ndarray, name, method)
    of_memory = {
        "BaseMemory": memory.BaseMemory,
        "Memory": memory.Memory,
        "UnownedMemory": memory.UnownedMemory,
        "MemoryPointer": memory.MemoryPointer,
        "MemoryPool": pool.MemoryPool,
        "alloc": memory.alloc,
        "set_allocator": memory.set_allocator,
        "get_allocator": memory.get_allocator,
    }
    of_pinned = {
        "PinnedMemory": pinned.PinnedMemory,
        "PinnedMemoryPointer": pinned.PinnedMemoryPointer,
        "PinnedMemoryPool": pinned.PinnedMemoryPool,
        "alloc_pinned_memory": pinned.alloc_pinned_memory,
    }
    of_runtime = {**runtime.FUNCTIONS, "CUDARuntimeError": errors.CUDARuntimeError}
    of_devices = {"Device": devices.Device, "get_device_id": devices.get_device_id}
    modules = {}

    def module(name, own=(), source=None):
        modules[name] = Module(name, own, source)
        parent, _, short = name.rpartition(".")
        if parent:
            modules[parent].__dict__[short] = modules[name]
        return modules[name]

    cupy = module(
        "cupy",
        {
            "__version__": "14.2.0",
            "ndarray": array.ndarray,
            "ufunc": ufuncs.ufunc,
            **creation.OWN,
            **strict("cupy", creation.GENERATED),
            **overrides.FUNCTIONS,
            **strict("cupy", {"pad": padding.pad}),
            **raw.CLASSES,
            "dtype": np.dtype,
            "newaxis": None,
            "get_default_memory_pool": lambda: current.machine.default_pool,
            "get_default_pinned_memory_pool": lambda: current.machine.default_pinned_pool,
            "is_available": lambda: bool(current.machine.devices),
        },
        np,
    )
    of_linalg = {**LINALG, **decompositions.FUNCTIONS}
    module("cupy.linalg", strict("cupy.linalg", of_linalg), np.linalg)
    module("cupy.fft", (), np.fft)
    module("cupy.random", (), np.random)
    module("cupy.exceptions", (), np.exceptions)
    module("cupy.lib")
    module(
        "cupy.lib.stride_tricks",
        {"as_strided": overrides.as_strided, "sliding_window_view": overrides.sliding_window_view},
    )
    module(
        "cupy.cuda",
        {
            **of_memory,
            **of_pinned,
            **of_devices,
            **using_stream_functions(),
            "using_allocator": memory.using_allocator,
            "MemoryHook": pool.MemoryHook,
            "Graph": Graph,
            "is_available": lambda: bool(current.machine.devices),
            "Function": raw.Function,
        },
    )
    module("cupy.cuda.runtime", of_runtime)
    module(
        "cupy.cuda.memory",
        {
            **of_memory,
            "PooledMemory": pool.PooledMemory,
            "SingleDeviceMemoryPool": pool.SingleDeviceMemoryPool,
            "OutOfMemoryError": errors.OutOfMemoryError,
            "CUDARuntimeError": errors.CUDARuntimeError,
        },
    )
    module("cupy.cuda.pinned_memory", of_pinned)
    module("cupy.cuda.stream", using_stream_functions())
    module("cupy.cuda.device", of_devices)
    module("cupy.cuda.graph", {"Graph": Graph})
    module("cupy.cuda.function", {"Function": raw.Function})
    module("cupy.cuda.memory_hook", {"MemoryHook": pool.MemoryHook})
    module("cupy.cuda.compiler", {"CompileException": errors.CompileException})
    module("cupy.cuda.nvrtc", {"getVersion": raw.nvrtc_version})
    module("cupy.cuda.driver", {"CUDADriverError": errors.CUDADriverError})
    module("cupy.cuda.nccl", NCCL)
    module(
        "cupyx",
        {
            "empty_pinned": pinned.empty_pinned,
            "zeros_pinned": pinned.zeros_pinned,
            **CUPYX,
        },
    )
    module("cupyx.scipy")
    module("cupyx.scipy.special", (), LazyModule("scipy.special"))
    module("cupyx.scipy.linalg", (), LazyModule("scipy.linalg"))
    current.cupy = cupy
    current.ndarray = array.ndarray
    current.device_class = devices.Device
    return modules
