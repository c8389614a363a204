"""cuDNN emulation of convolutions: descriptors, algorithm selection and computation.

Descriptor validation matches a real library, 9.28, which needs no GPU for it (test_cudnn_convolutions.py).
Algorithms are more lenient than cuDNN's in supporting all shapes, and stricter in that images and filters must have
the same layout, float64 requires channels first, and addresses must be multiples of 16.
"""

import ctypes
import math

import numpy as np

from tests.support.fake_cupy import copies
from tests.support.fake_cupy.cublas import plain
from tests.support.fake_cupy.cudnn_nets import Refused, demand

BAD_PARAM, NULL, MISALIGNED, TOO_SMALL = 2000, 2002, 2003, 2006
NOT_SUPPORTED, INTERNAL, TOO_LITTLE_MEMORY = 3000, 4000, 4003
DTYPES = {0: np.dtype("f"), 1: np.dtype("d"), 2: np.dtype("e")}
SUMS = {("float32", "float32"), ("float64", "float64"), ("float16", "float32")}
CROSS_CORRELATION = 1
DEFAULT, TENSOR_OPS, FMA = 0, 1, 3
MAX = 1 << 31
# By direction: (number, whether deterministic, whether it needs a workspace), fastest first; then one that is
# unsupported here.
ALGORITHMS = {
    "Forward": ((1, True, True), (0, True, False)),
    "BackwardData": ((0, False, False), (1, True, True)),
    "BackwardFilter": ((3, False, True), (1, True, True), (0, False, False)),
}
UNSUPPORTED = 4  # by FFT


class Performance(ctypes.Structure):
    _fields_ = [
        (name, kind)
        for name, kind in zip(
            ("algo", "status", "time", "memory", "determinism", "mathType"),
            (*[ctypes.c_int] * 2, ctypes.c_float, ctypes.c_size_t, *[ctypes.c_int] * 2),
        )
    ] + [("reserved", ctypes.c_int * 3)]


class Convolutions:
    """libcudnn's convolution functions; base class of `Library`."""

    def _cudnnSetFilterNdDescriptor(self, value, dtype, order, rank, sizes):
        rank = plain(rank)
        demand(rank <= 8, NOT_SUPPORTED)
        demand(rank >= 3 and plain(dtype) in DTYPES and plain(order) in (0, 1))
        record = self._find(value, "Filter")
        shape = tuple(sizes[:rank])
        demand(min(shape) > 0)
        record.dtype, record.shape, record.last = DTYPES[plain(dtype)], shape, plain(order) == 1

    def _cudnnSetConvolutionNdDescriptor(self, value, rank, pads, strides, dilations, mode, sums):
        rank = plain(rank)
        demand(1 <= rank <= 6, NOT_SUPPORTED)
        record = self._find(value, "Convolution")
        record.pads, record.strides = tuple(pads[:rank]), tuple(strides[:rank])
        record.dilations = tuple(dilations[:rank])
        demand(min(record.pads) >= 0 and min(*record.strides, *record.dilations) > 0)
        demand(plain(mode) in (0, 1) and plain(sums) in DTYPES)
        record.mode, record.sums = plain(mode), DTYPES[plain(sums)]
        record.groups, record.math = 1, DEFAULT

    def _cudnnSetConvolutionGroupCount(self, value, count):
        demand(plain(count) > 0)
        self._find(value, "Convolution", "groups").groups = plain(count)

    def _cudnnSetConvolutionMathType(self, value, kind):
        demand(plain(kind) in range(4))
        self._find(value, "Convolution", "groups").math = plain(kind)

    def _cudnnGetConvolutionNdForwardOutputDim(self, conv, x, w, rank, sizes):
        conv, x, w = self._set(conv, x, w)
        for axis, size in enumerate(counts(conv, x.shape, w.shape)[: plain(rank)]):
            sizes[axis] = size

    def _set(self, conv, *arrays):
        """The records of descriptors, all of which must be set."""
        operands = [self.records.get(plain(value)) for value in arrays]
        demand(all(hasattr(record, "shape") for record in operands))
        return self._find(conv, "Convolution", "groups"), *operands

    # Algorithms -----------------------------------------------------------------------------------

    def _max_count(self, direction, handle, count):
        demand(plain(handle))
        self._handle(handle)
        count._obj.value = len(ALGORITHMS[direction]) + 1

    def _expected(self, direction, handle, a, b, conv, c, requested, count, found):
        self._handle(handle)
        problem = Problem(direction, *self._set(conv, a, b, c))
        write_records(problem, math.inf, plain(requested), count, found, 0.0)

    def _measured(
        self, direction, handle, a_as, a, b_as, b, conv, c_as, c, requested, count, found,
        workspace, size,
    ):  # fmt: skip
        handle = self._handle(handle)
        problem = Problem(direction, *self._set(conv, a_as, b_as, c_as))
        if handle.stream.capture is not None:
            handle.stream.capture.broken = "cuDNN times its algorithms"
            raise Refused(INTERNAL)
        uses = problem.uses((a, b, c), workspace, plain(size))
        write_records(problem, plain(size), plain(requested), count, found, 0.15)

        def work(stream):
            copies.garble(plain(c), problem.sizes[2])

        self._launch(handle, f"cudnnFindConvolution{direction}AlgorithmEx", uses, work)
        handle.machine.sync(f"cudnnFindConvolution{direction}AlgorithmEx")
        handle.machine.learn(handle.stream.known)

    def _run_convolution(
        self, direction, handle, alpha, a_as, a, b_as, b, conv, algo, workspace, size, beta,
        c_as, c,
    ):  # fmt: skip
        handle = self._handle(handle)
        problem = Problem(direction, *self._set(conv, a_as, b_as, c_as))
        needed = problem.workspaces().get(plain(algo))
        demand(needed is not None, NOT_SUPPORTED)
        demand(plain(size) >= needed, TOO_SMALL)
        uses = problem.uses((a, b, c), workspace, needed)
        alpha, beta = (problem.scalar(value) for value in (alpha, beta))
        name = f"cudnnConvolution{direction}"
        self._launch(handle, name, uses, lambda stream: problem.compute(a, b, c, alpha, beta))


def _declare(name, direction, function):
    def call(self, *arguments):
        return getattr(self, function)(direction, *arguments)

    setattr(Convolutions, f"_{name}", call)


for _direction in ALGORITHMS:
    _declare(f"cudnnGetConvolution{_direction}AlgorithmMaxCount", _direction, "_max_count")
    _declare(f"cudnnGetConvolution{_direction}Algorithm_v7", _direction, "_expected")
    _declare(f"cudnnFindConvolution{_direction}AlgorithmEx", _direction, "_measured")
    _declare(f"cudnnConvolution{_direction}", _direction, "_run_convolution")


def counts(conv, x, w):
    """The shape of a result: [batch, filters, sizes ...]."""
    demand(len(x) == len(w) == len(conv.pads) + 2)
    demand(x[1] == w[1] * conv.groups)
    sizes = [
        (size + 2 * pad - (kernel - 1) * dilation - 1) // stride + 1
        for size, kernel, pad, stride, dilation in zip(
            x[2:], w[2:], conv.pads, conv.strides, conv.dilations
        )
    ]
    demand(min(sizes) > 0)
    return (x[0], w[0], *sizes)


def write_records(problem, size, requested, count, found, step):
    """Writes the performance records of all algorithms, unsupported ones last."""
    rows = []
    needed = problem.workspaces()
    for index, (algo, ordered, _) in enumerate(ALGORITHMS[problem.direction]):
        short = needed[algo] > size
        rows.append(
            (TOO_LITTLE_MEMORY if short else 0, algo, (index + 1) * step, needed[algo], ordered)
        )
    rows.append((NOT_SUPPORTED, UNSUPPORTED, -1.0, 0, True))
    rows.sort(key=lambda row: row[0] != 0)
    kind = TENSOR_OPS if problem.conv.math == TENSOR_OPS else problem.conv.math
    target = (Performance * len(found)).from_buffer(found)
    for index, (status, algo, took, memory, ordered) in enumerate(rows[:requested]):
        target[index] = Performance(algo, status, took, memory, int(ordered), kind)
    count._obj.value = min(len(rows), requested)


class Problem:
    """A convolution or one of its gradients, with the array descriptors."""

    def __init__(self, direction, conv, first, second, result):
        self.direction, self.conv = direction, conv
        self.records = first, second, result
        positions = {"Forward": (0, 1, 2), "BackwardData": (2, 0, 1), "BackwardFilter": (0, 2, 1)}
        self.x, self.w, self.y = (self.records[position] for position in positions[direction])
        x, w, y = self.x, self.w, self.y
        demand((x.kind, w.kind, y.kind) == ("Tensor", "Filter", "Tensor"))
        demand(x.dtype == w.dtype == y.dtype and y.shape == counts(conv, x.shape, w.shape))
        demand(w.shape[0] % conv.groups == 0)
        demand(conv.mode == CROSS_CORRELATION, NOT_SUPPORTED)
        demand((x.dtype.name, conv.sums.name) in SUMS, NOT_SUPPORTED)
        demand(not (w.last and x.dtype.itemsize == 8), NOT_SUPPORTED)
        for images in (x, y):
            demand(images.strides == strides(images.shape, w.last), NOT_SUPPORTED)
        self.item = x.dtype.itemsize
        self.sizes = [math.prod(record.shape) * self.item for record in self.records]

    def workspaces(self):
        """Workspace sizes in bytes, by algorithm."""
        size = 256 + 4 * math.prod(self.y.shape[2:]) * len(self.conv.pads)
        return {
            algo: size + 64 * algo if needs else 0 for algo, _, needs in ALGORITHMS[self.direction]
        }

    def uses(self, addresses, workspace, size):
        addresses = [plain(address) for address in addresses]
        demand(all(addresses) and (plain(workspace) or not size), NULL)
        demand(not any(address % 16 for address in addresses), MISALIGNED)
        spans = [(a, s, n == 2) for n, (a, s) in enumerate(zip(addresses, self.sizes))]
        return [*spans, (plain(workspace), size, True)]

    def scalar(self, address):
        """alpha or beta in host memory: float64 for float64 arrays, float32 otherwise."""
        dtype = np.dtype("d" if self.item == 8 else "f")
        return copies.raw(plain(address), dtype.itemsize).copy().view(dtype)[0]

    def array(self, address, record):
        """A view of memory as [batch or filters, channels, sizes ...]."""
        flat = copies.raw(plain(address), math.prod(record.shape) * self.item).view(record.dtype)
        if self.w.last:
            shape = (record.shape[0], *record.shape[2:], record.shape[1])
            return np.moveaxis(flat.reshape(shape), -1, 1)
        return flat.reshape(record.shape)

    def compute(self, first, second, result, alpha, beta):
        sums = self.conv.sums
        a, b = (
            np.ascontiguousarray(self.array(address, record), sums)
            for address, record in zip((first, second), self.records)
        )
        target = self.array(result, self.records[2])
        with np.errstate(all="ignore"):
            value = alpha * getattr(self, self.direction)(a, b)
            target[...] = value if beta == 0 else value + beta * target

    def Forward(self, x, w):
        windows = self.windows(np.pad(x, self.around()))
        along = tuple(range(-len(self.conv.pads), 0))
        parts = zip(np.split(windows, self.conv.groups, 1), np.split(w, self.conv.groups))
        products = [np.tensordot(a, b, ((1, *along), (1, *along))) for a, b in parts]
        return np.moveaxis(np.concatenate(products, -1), -1, 1)

    def BackwardData(self, w, grad):
        padded = np.zeros([n + sum(p) for n, p in zip(self.x.shape, self.around())], w.dtype)
        groups = self.conv.groups
        targets = np.split(self.windows(padded), groups, 1)
        for target, b, g in zip(targets, np.split(w, groups), np.split(grad, groups, 1)):
            for offset in np.ndindex(*b.shape[2:]):
                added = np.tensordot(g, b[(..., *offset)], (1, 0))
                target[(..., *offset)] += np.moveaxis(added, -1, 1)
        interior = [slice(p[0], p[0] + n) for n, p in zip(self.x.shape, self.around())]
        return padded[tuple(interior)]

    def BackwardFilter(self, x, grad):
        windows = self.windows(np.pad(x, self.around()))
        groups, along = self.conv.groups, tuple(range(2, 2 + len(self.conv.pads)))
        parts = zip(np.split(windows, groups, 1), np.split(grad, groups, 1))
        products = [np.tensordot(g, a, ((0, *along), (0, *along))) for a, g in parts]
        return np.concatenate(products)

    def around(self):
        return [(0, 0), (0, 0), *((pad, pad) for pad in self.conv.pads)]

    def windows(self, padded):
        """[batch, channels, positions ..., elements of the filter ...] over padded images."""
        conv, (batch, channels, *along) = self.conv, padded.strides
        shape = (*padded.shape[:2], *self.y.shape[2:], *self.w.shape[2:])
        steps = [step * s for step, s in zip(along, conv.strides)]
        inner = [step * d for step, d in zip(along, conv.dilations)]
        return np.lib.stride_tricks.as_strided(
            padded, shape, (batch, channels, *steps, *inner), writeable=True
        )


def strides(shape, last):
    """Strides of contiguous images, in elements."""
    order = (0, *range(2, len(shape)), 1) if last else range(len(shape))
    result, step = [0] * len(shape), 1
    for axis in reversed(order):
        result[axis] = step
        step *= shape[axis]
    return tuple(result)
