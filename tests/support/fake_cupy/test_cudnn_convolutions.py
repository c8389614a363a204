"""Emulated cuDNN convolutions: descriptor validation matches a real library's, if one is installed."""

import ctypes

import numpy as np
import pytest

from tests.support.fake_cupy.cudnn import Library
from tests.support.fake_cupy.cudnn_convolutions import strides
from tfmini._src.devices.cuda.cudnn.algorithms import Candidates, environment_settings
from tfmini._src.devices.cuda.cudnn.convolution import FORWARD, Convolution
from tfmini._src.devices.cuda.cudnn.library import Cudnn, CudnnError, open_cudnn
from tfmini._src.devices.numpy.windows.axes import Axis

SHAPE, FILTER = (2, 3, 5, 6), (4, 3, 3, 2)
FLOAT, DOUBLE, HALF = 0, 1, 2


def ints(values):
    return (ctypes.c_int * len(values))(*values)


class Descriptors:
    """Statuses of a library's descriptor functions, which need no handle."""

    def __init__(self, library):
        self.library = library

    def _new(self, kind):
        descriptor = ctypes.c_void_p()
        status = getattr(self.library, f"cudnnCreate{kind}Descriptor")(ctypes.byref(descriptor))
        assert status == 0
        return descriptor

    def tensor(self, shape=SHAPE, dtype=FLOAT, steps=None):
        descriptor = self._new("Tensor")
        rank, kind = ctypes.c_int(len(shape)), ctypes.c_int(dtype)
        steps = ints(steps or strides(shape, False))
        status = self.library.cudnnSetTensorNdDescriptor(descriptor, kind, rank, ints(shape), steps)
        return status, descriptor

    def filter(self, shape=FILTER, dtype=FLOAT, order=0):
        result = self._new("Filter")
        numbers = map(ctypes.c_int, (dtype, order, len(shape)))
        return self.library.cudnnSetFilterNdDescriptor(result, *numbers, ints(shape)), result

    def convolution(
        self, pads=(1, 0), steps=(1, 1), dilations=(1, 1), mode=1, sums=FLOAT, groups=1, math=3
    ):
        result, library = self._new("Convolution"), self.library
        status = library.cudnnSetConvolutionNdDescriptor(
            result, ctypes.c_int(len(pads)), ints(pads), ints(steps), ints(dilations),
            ctypes.c_int(mode), ctypes.c_int(sums),
        )  # fmt: skip
        status = status or library.cudnnSetConvolutionGroupCount(result, ctypes.c_int(groups))
        return status or library.cudnnSetConvolutionMathType(result, ctypes.c_int(math)), result

    def counts(self, shape=SHAPE, filter=FILTER, **convolution):
        result = [self.tensor(shape), self.filter(filter), self.convolution(**convolution)]
        assert not any(status for status, _ in result)
        (_, x), (_, w), (_, conv) = result
        descriptor = (ctypes.c_int * len(shape))()
        status = self.library.cudnnGetConvolutionNdForwardOutputDim(
            conv, x, w, ctypes.c_int(len(shape)), descriptor
        )
        return status or tuple(descriptor)


def descriptor_statuses(library):
    """A library's statuses for valid and invalid descriptors."""
    of = Descriptors(library)
    return {
        "images": of.tensor()[0],
        "channels last": of.tensor(steps=strides(SHAPE, True))[0],
        "none": of.tensor((0, 3, 5, 6), steps=(90, 30, 6, 1))[0],
        "a step of 0": of.tensor(steps=(0, 30, 6, 1))[0],
        "many axes": of.tensor((1,) * 9)[0],
        "another dtype": of.tensor(dtype=77)[0],
        "too large": of.tensor((1 << 20, 1 << 10, 4, 4), steps=(1 << 14, 16, 4, 1))[0],
        "filters": of.filter()[0],
        "filters, channels last": of.filter(order=1)[0],
        "no filters": of.filter((4, 0, 3, 2))[0],
        "filters of two axes": of.filter((4, 3))[0],
        "another order": of.filter(order=9)[0],
        "a convolution": of.convolution()[0],
        "less than no zeros": of.convolution(pads=(-1, 0))[0],
        "windows that stay": of.convolution(steps=(0, 1))[0],
        "no dilation": of.convolution(dilations=(0, 1))[0],
        "no groups": of.convolution(groups=0)[0],
        "another math": of.convolution(math=9)[0],
        "another mode": of.convolution(mode=5)[0],
        "other sums": of.convolution(sums=77)[0],
        "seven axes": of.convolution((0,) * 7, (1,) * 7, (1,) * 7)[0],
        "counts": of.counts(),
        "counts of dilated windows": of.counts(dilations=(2, 3), steps=(2, 1)),
        "counts of groups": of.counts(filter=(3, 1, 3, 2), groups=3),
        "groups that do not fit": of.counts(groups=3),
        "channels that do not fit": of.counts(filter=(4, 2, 3, 2)),
        "a filter too large": of.counts(filter=(4, 3, 9, 2), pads=(0, 0)),
    }


KNOWN = {
    "none": 2000,
    "a step of 0": 2000,
    "many axes": 3000,
    "another dtype": 2000,
    "too large": 3000,
    "no filters": 2000,
    "filters of two axes": 2000,
    "another order": 2000,
    "less than no zeros": 2000,
    "windows that stay": 2000,
    "no dilation": 2000,
    "no groups": 2000,
    "another math": 2000,
    "another mode": 2000,
    "other sums": 2000,
    "seven axes": 3000,
    "counts": (2, 4, 5, 5),
    "counts of dilated windows": (2, 4, 2, 3),
    "counts of groups": (2, 3, 5, 5),
    "groups that do not fit": 2000,
    "channels that do not fit": 2000,
    "a filter too large": 2000,
}


def test_descriptor_statuses(cp):
    descriptor = descriptor_statuses(Library())
    assert {name: value for name, value in descriptor.items() if value} == KNOWN


@pytest.mark.cudnn
def test_descriptor_statuses_match_real_library():
    library = open_cudnn(13)
    if library is None:
        pytest.skip("no cuDNN here")
    library.cudnnGetVersion.restype = ctypes.c_size_t
    if library.cudnnGetVersion() < 90000:
        pytest.skip("version 8 has other numbers")
    descriptor = descriptor_statuses(library)
    assert {name: value for name, value in descriptor.items() if value} == KNOWN


@pytest.mark.cudnn
@pytest.mark.parametrize("direction", ["Forward", "BackwardData", "BackwardFilter"])
def test_real_library_exports_functions(direction):
    """The library exports every function that tfmini calls."""
    library = open_cudnn(13)
    if library is None:
        pytest.skip("no cuDNN here")
    for name in ("Get{}Algorithm_v7", "Find{}AlgorithmEx", "Get{}AlgorithmMaxCount", "{}"):
        head, _, tail = name.partition("{}")
        assert getattr(library, f"cudnn{head}Convolution{direction}{tail}")


# Runs -------------------------------------------------------------------------------------------------


@pytest.fixture
def stream(cp):
    with cp.cuda.Stream(non_blocking=True) as stream:
        yield stream


class Gpu:
    """The attributes of a LogicalGpu that a run needs."""

    def __init__(self, cp):
        self.xp = cp
        self.allocate = cp.cuda.alloc


def forward(cudnn, dtype="float32", channels_first=True):
    axes = (Axis(5, 3, 1, 1, 1, 1, 5), Axis(6, 2, 1, 1, 0, 0, 5))
    convolution = Convolution(FORWARD, dtype, 2, 3, 4, 1, axes, True)
    return Candidates(cudnn, environment_settings(), convolution, channels_first)


def arrays(cp, dtype="float32"):
    return [cp.zeros(shape, dtype) for shape in ((2, 3, 5, 6), (4, 3, 3, 2), (2, 4, 5, 5))]


def test_misaligned_address_is_rejected(cp, stream):
    candidates, inputs = forward(Cudnn(Library(), stream.ptr)), arrays(cp)
    inputs[0] = cp.zeros(181, "f")[1:].reshape(2, 3, 5, 6)
    with pytest.raises(CudnnError, match=r"misaligned pointer \(2003\)"):
        candidates.run(Gpu(cp), candidates.heuristic_algorithms()[0], inputs)


def test_insufficient_workspace_is_rejected(cp, stream):
    candidates = forward(Cudnn(Library(), stream.ptr))
    algorithm = candidates.heuristic_algorithms()[0]
    object.__setattr__(algorithm, "workspace", algorithm.workspace - 1)
    with pytest.raises(CudnnError, match=r"size insufficient \(2006\)"):
        candidates.run(Gpu(cp), algorithm, arrays(cp))


def test_doubles_require_channels_first(cp, stream):
    cudnn = Cudnn(Library(), stream.ptr)
    assert forward(cudnn, "float64").heuristic_algorithms()
    with pytest.raises(CudnnError, match=r"not supported \(3000\)"):
        forward(cudnn, "float64", channels_first=False).heuristic_algorithms()


def test_timing_during_capture_fails(cp, stream):
    candidates, inputs = forward(Cudnn(Library(), stream.ptr)), arrays(cp)
    stream.begin_capture()
    candidates.heuristic_algorithms()  # launches nothing
    with pytest.raises(CudnnError, match=r"AlgorithmEx: internal error \(4000\)"):
        candidates.measured_algorithms(Gpu(cp), inputs)
    with pytest.raises(cp.cuda.runtime.CUDARuntimeError, match="cudaErrorStreamCaptureInvalidated"):
        stream.end_capture()


def test_timing_overwrites_result(cp, stream):
    candidates, inputs = forward(Cudnn(Library(), stream.ptr)), arrays(cp)
    inputs[2].fill(1)
    candidates.measured_algorithms(Gpu(cp), inputs)
    assert not (cp.asnumpy(inputs[2]) == np.float32(1)).any()
