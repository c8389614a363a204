"""CuPy's RawModule and RawKernel: compiles CUDA source for the CPU and runs it there.

Memory accesses follow from the parameters: pointers to const are read, others read and written. Addresses in tables
of 8-byte integers are detected; their targets are read, and count as written if their bytes change. In a capture,
where this is not yet known, they count as written.
"""

import threading

import numpy as np

from tests.support.cuda_on_cpu import CompileError
from tests.support.fake_cupy import copies
from tests.support.fake_cupy.dispatch import check_device
from tests.support.fake_cupy.errors import CompileException, CUDADriverError, CUDARuntimeError
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.memory import MemoryPointer, find, tenure_at
from tests.support.fake_cupy.storage import Storage

STATIC_SHARED = 48 * 1024
MAX_SHARED = 227 * 1024
LONGEST_TABLE = 1 << 20
SCALARS = frozenset(np.dtype(char).type for char in "?bhilqBHILQefdFD")


def load_nvrtc():
    """Loads NVRTC under a lock, because concurrently loading threads fail to find its libnvrtc-builtins."""
    machine = current.machine
    if not machine.has_nvrtc and threading.current_thread().name.startswith("ThreadPool"):
        raise CompileError("nvrtc: error: failed to open libnvrtc-builtins.so.13.0.")
    machine.has_nvrtc = True


def nvrtc_version():
    """getVersion of cupy.cuda.nvrtc."""
    load_nvrtc()
    return 13, 0


class RawModule:
    """Kernels of one CUDA source."""

    def __init__(
        self,
        code=None,
        *,
        path=None,
        options=(),
        backend="nvrtc",
        translate_cucomplex=False,
        enable_cooperative_groups=False,
        name_expressions=None,
        jitify=None,
    ):
        if (code is None) == (path is None):
            raise TypeError("Exactly one of `code` and `path` keyword arguments must be given.")
        if path is not None or name_expressions is not None or jitify or translate_cucomplex:
            raise NotImplementedError("the fake runs plain sources only")
        if not isinstance(code, str):
            raise TypeError("Argument 'code' has incorrect type")
        if not isinstance(options, tuple) or not all(isinstance(part, str) for part in options):
            raise TypeError("Argument 'options' has incorrect type (expected tuple of str)")
        if backend not in ("nvrtc", "nvcc"):
            raise ValueError(f"Invalid backend: {backend}")
        self.code = code
        self.options = options
        current.machine.option_sets.add(options)
        self.backend = backend
        self.enable_cooperative_groups = enable_cooperative_groups
        self.name_expressions = None
        self.file_path = None
        self._compiled = None

    @property
    def module(self):
        """The kernels compiled for the CPU, on first access."""
        if self._compiled is None:
            try:
                load_nvrtc()
                self._compiled = current.machine.compile_module(self.code, self.options)
            except CompileError as error:
                raise CompileException(
                    str(error), self.code, "kernels.cu", self.options, self.backend
                ) from error
        return self._compiled

    def compile(self, log_stream=None):
        return self.module

    def get_function(self, name):
        kernels = self.module.kernels
        if name not in kernels:
            raise CUDADriverError(500)
        return RawKernel._of(self, name)


class RawKernel:
    """One kernel, compiled for each device on its first call there."""

    def __init__(
        self,
        code,
        name,
        options=(),
        backend="nvrtc",
        translate_cucomplex=False,
        *,
        enable_cooperative_groups=False,
        jitify=None,
    ):
        self._module = RawModule(code, options=options, backend=backend)
        self.name = name
        self.max_dynamic_shared_size_bytes = STATIC_SHARED

    @classmethod
    def _of(cls, module, name):
        kernel = object.__new__(cls)
        kernel._module = module
        kernel.name = name
        kernel.max_dynamic_shared_size_bytes = STATIC_SHARED
        return kernel

    @property
    def code(self):
        return self._module.code

    @property
    def options(self):
        return self._module.options

    @property
    def backend(self):
        return self._module.backend

    @property
    def kernel(self):
        return self._module.get_function(self.name)

    def compile(self, log_stream=None):
        self._module.compile()

    def __call__(self, grid, block, args, *, shared_mem=0, stream=None):
        launch(self, grid, block, args, shared_mem, stream)


class Function:
    """A kernel of a loaded module; the emulator uses RawKernel instead."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("use RawModule.get_function")


def launch(kernel, grid, block, args, shared_mem, stream):
    """Queues a kernel on a stream of the current device (default: the current stream)."""
    for sizes, what in ((grid, "grid"), (block, "block")):
        if not isinstance(sizes, tuple):
            raise TypeError(f"Argument '{what}' has incorrect type (expected tuple)")
    grid, block = (tuple(max(1, size) for size in sizes) for sizes in (grid, block))
    if shared_mem > min(max(kernel.max_dynamic_shared_size_bytes, STATIC_SHARED), MAX_SHARED):
        raise CUDADriverError(1)
    machine = current.machine
    state = machine.current_stream_state() if stream is None else stream.state()
    if state.device != machine.thread.device:
        raise CUDADriverError(400)
    module = kernel._module.module
    if kernel.name not in module.kernels:
        raise CUDADriverError(500)
    name = kernel.name
    with machine.lock:
        values, uses = arguments(machine, name, module.kernels[name], args)
        memory, led_to = reachable_memory(machine, name, args, uses, state.capture is not None)

        def work(stream):
            module.launch(name, grid, block, values, shared_mem, machine.thread_order, memory())

        machine.counters.launches += 1
        machine.counters.launch_names[name] += 1
        if state.capture is not None:
            led_to = []
        before = [copies.raw(low, tenure.high - low).tobytes() for tenure, low, *_ in led_to]
        copies.perform(machine, state, uses, name, work)
        changed = [
            (tenure, low, high, True)
            for (tenure, low, high, _), bytes_before in zip(led_to, before)
            if copies.raw(low, tenure.high - low).tobytes() != bytes_before
        ]
        if changed:
            copies.touch(machine, state, changed, name)


def arguments(machine, name, parameters, args):
    """The arguments for the CPU, and the memory accesses that they imply."""
    values, uses = [], []
    constant = [parameter.constant or not parameter.pointer for parameter in parameters]
    constant += [False] * (len(args) - len(constant))
    for arg, reads in zip(args, constant):
        if isinstance(arg, Storage):
            check_device(name, arg)
            if arg.size:
                uses.append((arg.tenure, *arg.bounds(), not reads))
            values.append(arg._a)
        elif isinstance(arg, MemoryPointer):
            uses.append((arg.mem.tenure, arg.ptr, arg.mem.tenure.high, not reads))
            values.append(arg.ptr)
        elif isinstance(arg, np.ndarray):  # a structure, passed by value
            if arg.size != 1:
                raise TypeError(
                    f"You are trying to pass a numpy.ndarray of shape {arg.shape} as a kernel "
                    "parameter. Only numpy.ndarrays of size one can be passed by value. If you "
                    "meant to pass a pointer to __global__ memory, you need to pass a cupy.ndarray "
                    "instead."
                )
            values.append(arg.copy())
        elif arg is None or isinstance(arg, (bool, int, float)) or type(arg) in SCALARS:
            values.append(arg)
        else:
            raise TypeError(f"Unsupported type {type(arg)}")
    for index, parameter in enumerate(parameters[: len(args)]):
        address = values[index]
        if parameter.pointer and isinstance(address, (int, np.integer)) and address:
            tenure = tenure_at(machine, int(address), name)
            if not isinstance(args[index], MemoryPointer):
                uses.append((tenure, int(address), int(address) + 1, not parameter.constant))
    return values, uses


def reachable_memory(machine, name, args, uses, written):
    """A function that returns the memory reachable through address tables; adds the accesses of such memory to
    `uses`.
    """
    spans = {}
    tables = []
    led_to = []
    for arg in args:
        if isinstance(arg, MemoryPointer):
            spans[arg.ptr] = arg.mem.tenure
        elif isinstance(arg, (int, np.integer)) and not isinstance(arg, bool):
            tenure = find(machine, int(arg))
            if tenure is not None:
                spans[int(arg)] = tenure
        elif isinstance(arg, Storage) and arg.dtype.char in "lLqQ" and arg.size <= LONGEST_TABLE:
            tables.append(arg._a)
        elif isinstance(arg, np.ndarray) and arg.nbytes % 8 == 0:
            tables.append(np.frombuffer(arg.tobytes(), np.int64))
    for table in tables:
        for address, tenure in targets(machine, table):
            if address not in spans:
                spans[address] = tenure
                led_to.append((tenure, address, address + 1, written))
                if tenure.segment.device != machine.thread.device:
                    raise CUDARuntimeError(700)
    uses += led_to

    def memory():
        reachable = dict(spans)
        for table in tables:  # a graph's tables may hold other addresses by now
            reachable.update(targets(machine, table))
        return [
            copies.raw(address, tenure.high - address)
            for address, tenure in reachable.items()
            if tenure.high > address
        ]

    return memory, led_to


def targets(machine, table):
    """The device addresses among integers, with their tenures."""
    if not machine.bases:
        return
    addresses = table.ravel()
    likely = (addresses >= machine.bases[0]) & (addresses < machine.bases[-1] + (1 << 40))
    for address in addresses[likely].tolist():
        tenure = find(machine, address)
        if tenure is not None:
            yield address, tenure


CLASSES = {"RawModule": RawModule, "RawKernel": RawKernel}
