"""Direct cublasLt calls on emulated memory: rejected arguments."""

import ctypes

import numpy as np
import pytest

from tests.support import fake_cupy
from tests.support.fake_cupy.cublas import EXECUTION_FAILED, INVALID_VALUE, NOT_SUPPORTED
from tests.support.fake_cupy.cublas_lt import BIAS, Library
from tfmini._src.devices.cuda.cublas_lt import CublasLt, _Algorithm, _Descriptor

WORKSPACE = 1 << 16


@pytest.fixture
def library():
    return Library()


@pytest.fixture
def call(library, cp):
    return Call(library, cp)


class Call:
    """Calls cublasLtMatmul for 2 x 3 times 3 x 4 with a bias; `call(**others)` overrides arguments and returns the
    status.
    """

    def __init__(self, library, cp):
        self.library, self.cp = library, cp
        self.stream, self.workspace = cp.cuda.Stream(non_blocking=True), cp.cuda.alloc(WORKSPACE)
        self.lt = CublasLt(library, self.stream.ptr, self.workspace.ptr, WORKSPACE)
        with self.stream:
            arrays = [cp.ones(shape, "f") for shape in ((2, 3), (3, 4), (2, 4), (4,))]
            assert self.lt.product(arrays[0], arrays[1], False, False, arrays[2], BIAS, arrays[3])
        (self.plan,) = self.lt._plans.values()
        self.arrays = arrays

    def __call__(self, **others):
        a, b, d, _ = (ctypes.c_void_p(each.data.ptr) for each in self.arrays)
        one, zero = np.ones((), "f"), np.zeros((), "f")
        layouts = [layout.address for layout in self.plan.layouts]
        arguments = {
            "handle": self.lt._handle,
            "description": self.plan.description.address,
            "alpha": ctypes.c_void_p(one.ctypes.data),
            "a": b,
            "a_layout": layouts[0],
            "b": a,
            "b_layout": layouts[1],
            "beta": ctypes.c_void_p(zero.ctypes.data),
            "c": d,
            "c_layout": layouts[2],
            "d": d,
            "d_layout": layouts[2],
            "algorithm": ctypes.byref(self.plan.algorithm),
            "workspace": ctypes.c_void_p(self.workspace.ptr),
            "size": ctypes.c_size_t(WORKSPACE),
            "stream": ctypes.c_void_p(self.stream.ptr),
        }
        return self.library.cublasLtMatmul(*{**arguments, **others}.values())


def test_matmul(call):
    assert call() == 0


@pytest.mark.parametrize(
    "others, status",
    [
        ({"handle": ctypes.c_void_p(1)}, 1),
        ({"description": ctypes.c_void_p(1)}, INVALID_VALUE),
        ({"a_layout": ctypes.c_void_p(1)}, INVALID_VALUE),
        ({"size": ctypes.c_size_t(16)}, INVALID_VALUE),
        ({"algorithm": ctypes.byref(_Algorithm())}, INVALID_VALUE),
    ],
)
def test_invalid_handles_and_sizes(call, others, status):
    assert call(**others) == status


def test_algorithm_fits_only_its_problem(call):
    assert call(a=ctypes.c_void_p(call.arrays[1].data.ptr + 4)) == INVALID_VALUE  # less aligned
    call.plan.description.set(7, ctypes.c_uint32(1))
    assert call() == INVALID_VALUE  # another epilogue
    call.plan.description.set(7, ctypes.c_uint32(BIAS))
    call.plan.description.set(8, ctypes.c_void_p(0))
    assert call() == NOT_SUPPORTED  # no bias
    layouts = call.plan.layouts
    assert call(a_layout=layouts[1].address) == INVALID_VALUE  # another shape


def test_destroyed_descriptor_and_wrong_value_size(library, machine):
    made = _Descriptor(library, "MatmulPreference")
    size = ctypes.c_size_t(8)
    set_attribute = library.cublasLtMatmulPreferenceSetAttribute
    assert set_attribute(made.address, ctypes.c_int(1), ctypes.byref(size), ctypes.c_size_t(8)) == 0
    assert set_attribute(made.address, ctypes.c_int(3), ctypes.byref(size), ctypes.c_size_t(8)) == 7
    address = ctypes.c_void_p(made.address.value)
    assert library.cublasLtMatmulDescDestroy(address) == INVALID_VALUE
    del made
    assert library.cublasLtMatmulPreferenceDestroy(address) == INVALID_VALUE


def test_memory_of_other_device_fails(call, cp):
    with cp.cuda.Device(1):
        other = cp.ones((2, 4), "f")
    there = ctypes.c_void_p(other.data.ptr)
    assert call(c=there, d=there) == EXECUTION_FAILED


def test_product_runs_on_given_stream(call, machine):
    with machine.expected(fake_cupy.RaceError, "cublasLtMatmul"):
        call.arrays[2] + 1


def test_product_is_capturable(call):
    with call.stream:
        call.arrays[2].fill(0)
        call.stream.begin_capture()
        assert call() == 0
        graph = call.stream.end_capture()
        assert call.arrays[2].get()[0, 0] == 0
        graph.launch()
        np.testing.assert_array_equal(call.arrays[2].get(), np.full((2, 4), 4, "f"))
