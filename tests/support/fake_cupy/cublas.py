"""libcublas for ctypes callers: products on emulated memory.

    library = fake_cupy.cublas.Library()  # in place of ctypes.CDLL("libcublas.so")
    library.cublasCreate_v2(ctypes.byref(handle))

Unlike CuPy's wrapper it works in a capture. Each product counts as writing the handle's workspace, so two streams
that share a workspace race.
"""

import re

import ml_dtypes
import numpy as np

from tests.support.fake_cupy import copies
from tests.support.fake_cupy.machine import current

NOT_INITIALIZED, ALLOCATION_FAILED, INVALID_VALUE, EXECUTION_FAILED, NOT_SUPPORTED = 1, 3, 7, 13, 15
HANDLE_BYTES = 64 << 10  # GPU bytes taken by a handle, in addition to its workspace
DTYPES = {"S": np.dtype("f"), "D": np.dtype("d"), "C": np.dtype("F"), "Z": np.dtype("D")}
PRODUCT = re.compile(r"cublas([SDCZ])gemm(_v2|StridedBatched)")
HALVES = {2: np.dtype("e"), 14: np.dtype(ml_dtypes.bfloat16)}  # CUDA_R_16F, CUDA_R_16BF
COMPUTE_32F, GEMM_DEFAULT = 68, -1


class Handle:
    """A handle's device, stream and workspace."""

    def __init__(self, machine):
        self.machine = machine
        self.device = machine.thread.device
        self.stream = machine.devices[self.device].null
        self.workspace = (0, 0)


class Library:
    """The functions of libcublas by name; each returns a cublasStatus_t."""

    def __init__(self):
        self.handles = {}

    def __getattr__(self, name):
        match = PRODUCT.fullmatch(name)
        if match is None:
            raise AttributeError(f"the fake's cuBLAS has no {name}")
        dtype, batched = DTYPES[match.group(1)], match.group(2) != "_v2"

        def product(*arguments):
            return self._product(name, dtype, batched, [plain(value) for value in arguments])

        return product

    def cublasCreate_v2(self, handle):
        machine = current.machine
        there = machine.devices[machine.thread.device]
        if there.allocated + HANDLE_BYTES > there.total:
            return ALLOCATION_FAILED
        there.allocated += HANDLE_BYTES
        target = handle._obj  # the argument of ctypes.byref
        target.value = machine.new_handle()
        self.handles[target.value] = Handle(machine)
        return 0

    def cublasDestroy_v2(self, handle):
        record = self.handles.pop(plain(handle), None)
        if record is None:
            return NOT_INITIALIZED
        record.machine.devices[record.device].allocated -= HANDLE_BYTES
        return 0

    def cublasSetStream_v2(self, handle, stream):
        record = self.handles.get(plain(handle))
        if record is None:
            return NOT_INITIALIZED
        record.stream = record.machine.stream_state(plain(stream) or 0, record.device)
        record.workspace = (0, 0)  # cuBLAS resets it
        return 0

    def cublasSetWorkspace_v2(self, handle, workspace, size):
        record = self.handles.get(plain(handle))
        if record is None:
            return NOT_INITIALIZED
        if plain(workspace) % 256:
            return INVALID_VALUE
        record.workspace = (plain(workspace), plain(size))
        return 0

    def cublasSetMathMode(self, handle, mode):
        return 0 if plain(handle) in self.handles else NOT_INITIALIZED

    def cublasGemmEx(self, *arguments):
        return self._half("cublasGemmEx", False, [plain(value) for value in arguments])

    def cublasGemmStridedBatchedEx(self, *arguments):
        return self._half("cublasGemmStridedBatchedEx", True, [plain(value) for value in arguments])

    def _half(self, name, batched, arguments):
        """16-bit products with float32 accumulation; drops the dtype arguments."""
        *arguments, compute, algorithm = arguments
        positions = (8, 12, 17) if batched else (8, 11, 15)
        data_types = {arguments[position] for position in positions}
        if (compute, algorithm) != (COMPUTE_32F, GEMM_DEFAULT) or len(data_types) != 1:
            return NOT_SUPPORTED
        dtype = HALVES.get(data_types.pop())
        if dtype is None:
            return NOT_SUPPORTED
        rest = [value for position, value in enumerate(arguments) if position not in positions]
        return self._product(name, dtype, batched, rest, np.dtype("f"))

    def _product(self, name, dtype, batched, arguments, scalars=None):
        handle = self.handles.get(arguments[0])
        if handle is None:
            return NOT_INITIALIZED
        transposes, (rows, columns, inner) = arguments[1:3], arguments[3:6]
        scalars = scalars or dtype
        alpha, beta = (
            copies.raw(address, scalars.itemsize).copy().view(scalars)[0]
            for address in (arguments[6], arguments[13 if batched else 11])
        )
        if batched:
            a, lead_a, step_a, b, lead_b, step_b = arguments[7:13]
            c, lead_c, step_c, count = arguments[14:]
        else:
            a, lead_a, b, lead_b = arguments[7:11]
            (c, lead_c), count = arguments[12:], 1
            step_a = step_b = step_c = 0
        if not all(transpose in (0, 1, 2) for transpose in transposes):
            return INVALID_VALUE
        shapes = [
            (inner, rows) if transposes[0] else (rows, inner),
            (columns, inner) if transposes[1] else (inner, columns),
            (rows, columns),
        ]
        stacks = [
            Stack(address, shape, lead, step, count, dtype)
            for address, shape, lead, step in zip(
                (a, b, c), shapes, (lead_a, lead_b, lead_c), (step_a, step_b, step_c)
            )
        ]
        if any(stack.leading < max(1, stack.shape[0]) for stack in stacks):
            return INVALID_VALUE
        if not rows or not columns or not count:
            return 0
        return launch(name, handle, stacks, transposes, alpha, beta)


def launch(name, handle, stacks, transposes, alpha, beta):
    """Queues a product on the handle's stream."""
    machine = handle.machine
    uses = []
    for stack, write in zip(stacks, (False, False, True)):
        if stack.shape[0] and stack.shape[1]:
            tenure = copies.device_range(machine, stack.address, stack.nbytes(), name)
            if tenure.segment.device != handle.device:
                return EXECUTION_FAILED
            uses.append((tenure, stack.address, stack.address + stack.nbytes(), write))
    address, size = handle.workspace
    if size:
        tenure = copies.device_range(machine, address, size, name)
        uses.append((tenure, address, address + size, True))

    def work(stream):
        left, right, target = stacks
        with np.errstate(all="ignore"):
            for index in range(target.count):
                a, b, c = left.matrix(index), right.matrix(index), target.matrix(index)
                if a.dtype.itemsize == 2:
                    a, b = a.astype("f"), b.astype("f")
                product = alpha * np.matmul(operand(a, transposes[0]), operand(b, transposes[1]))
                c[...] = product if beta == 0 else product + beta * c

    machine.counters.launches += 1
    machine.counters.launch_names[name] += 1
    copies.perform(machine, handle.stream, uses, name, work)
    return 0


class Stack:
    """Column-major matrices at an address, with a stride of `step` elements."""

    def __init__(self, address, shape, leading, step, count, dtype):
        self.address = address
        self.shape = shape
        self.leading = leading
        self.step = step
        self.count = count
        self.dtype = dtype

    def nbytes(self):
        rows, columns = self.shape
        one = self.leading * (columns - 1) + rows
        return (self.step * (self.count - 1) + one) * self.dtype.itemsize

    def matrix(self, index):
        rows, columns = self.shape
        size = self.dtype.itemsize
        if not rows or not columns:
            return np.zeros(self.shape, self.dtype)
        start = self.address + index * self.step * size
        flat = copies.raw(start, (self.leading * (columns - 1) + rows) * size).view(self.dtype)
        return np.lib.stride_tricks.as_strided(flat, self.shape, (size, self.leading * size))


def operand(matrix, transpose):
    if transpose == 2:
        return matrix.T.conj()
    return matrix.T if transpose else matrix


def plain(value):
    """The value of a ctypes object; for a Python int, ctypes passes the lower half."""
    if isinstance(value, int) and not -(1 << 31) <= value < 1 << 31:
        raise TypeError(f"{value:#x} has no ctypes type: 32 bits of it would be passed")
    return getattr(value, "value", value)
