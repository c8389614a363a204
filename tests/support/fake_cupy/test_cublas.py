"""Direct cuBLAS calls on emulated memory."""

import ctypes

import numpy as np
import pytest

from tests.support import fake_cupy
from tests.support.fake_cupy.cublas import Library

ONE = np.array(1, "f")
TWO = np.array(2, "f")


@pytest.fixture
def stream(cp):
    return cp.cuda.Stream(non_blocking=True)


@pytest.fixture
def library():
    return Library()


@pytest.fixture
def handle(library, stream):
    result = ctypes.c_void_p()
    assert library.cublasCreate_v2(ctypes.byref(result)) == 0
    assert library.cublasSetStream_v2(result, ctypes.c_void_p(stream.ptr)) == 0
    return result


def multiply(library, handle, a, b, c, beta=0):
    """c = 2 a b + beta c for row-major matrices, computed by cuBLAS as the transposed product."""
    (rows, inner), columns = a.shape, b.shape[1]
    beta = np.array(beta, "f")
    sizes = [ctypes.c_int(size) for size in (0, 0, columns, rows, inner)]
    return library.cublasSgemm_v2(
        handle,
        *sizes,
        ctypes.c_void_p(TWO.ctypes.data),
        ctypes.c_void_p(b.data.ptr),
        ctypes.c_int(columns),
        ctypes.c_void_p(a.data.ptr),
        ctypes.c_int(inner),
        ctypes.c_void_p(beta.ctypes.data),
        ctypes.c_void_p(c.data.ptr),
        ctypes.c_int(columns),
    )


def matrices(cp):
    values = [np.arange(6, dtype="f").reshape(2, 3), np.arange(12, dtype="f").reshape(3, 4)]
    result = [*map(cp.asarray, values), cp.ones((2, 4), "f")]
    cp.cuda.Device().synchronize()
    return result, 2 * values[0] @ values[1]


def test_matmul(library, handle, stream, cp):
    (a, b, c), expected = matrices(cp)
    assert multiply(library, handle, a, b, c) == 0
    with stream:
        np.testing.assert_array_equal(c.get(), expected)
        assert multiply(library, handle, a, b, c, beta=1) == 0
        np.testing.assert_array_equal(c.get(), 2 * expected)


def test_batched_matmul(library, handle, stream, cp):
    a, b = (np.random.default_rng(0).random(shape) for shape in ((5, 3, 2), (5, 4, 3)))
    left, right, result = cp.asarray(a), cp.asarray(b), cp.empty((5, 2, 4))
    cp.cuda.Device().synchronize()
    one, zero = np.array(1.0), np.array(0.0)
    sizes = [ctypes.c_int(size) for size in (1, 1, 4, 2, 3)]
    pointers = [
        part
        for array in (right, left)
        for part in (
            ctypes.c_void_p(array.data.ptr),
            ctypes.c_int(array.shape[2]),
            ctypes.c_longlong(array.shape[1] * array.shape[2]),
        )
    ]
    status = library.cublasDgemmStridedBatched(
        handle,
        *sizes,
        ctypes.c_void_p(one.ctypes.data),
        *pointers,
        ctypes.c_void_p(zero.ctypes.data),
        ctypes.c_void_p(result.data.ptr),
        ctypes.c_int(4),
        ctypes.c_longlong(8),
        ctypes.c_int(5),
    )
    assert status == 0
    with stream:
        expected = a.swapaxes(1, 2) @ b.swapaxes(1, 2)
        np.testing.assert_allclose(result.get(), expected, rtol=1e-12)


def test_product_runs_on_handle_stream(library, handle, machine, cp):
    (a, b, c), _ = matrices(cp)
    multiply(library, handle, a, b, c)
    with machine.expected(fake_cupy.RaceError, "cublasSgemm_v2"):
        c + 1


def test_streams_must_not_share_workspace(library, handle, machine, cp):
    (a, b, c), _ = matrices(cp)
    workspace, d = cp.cuda.alloc(4096), cp.empty((2, 4), "f")
    other, stream = ctypes.c_void_p(), cp.cuda.Stream(non_blocking=True)
    library.cublasCreate_v2(ctypes.byref(other))
    library.cublasSetStream_v2(other, ctypes.c_void_p(stream.ptr))
    for each in (handle, other):
        size = ctypes.c_size_t(4096)
        library.cublasSetWorkspace_v2(each, ctypes.c_void_p(workspace.ptr), size)
    multiply(library, handle, a, b, c)
    with machine.expected(fake_cupy.RaceError):
        multiply(library, other, a, b, d)


def test_product_is_capturable(library, handle, stream, cp):
    (a, b, c), expected = matrices(cp)
    with stream:
        stream.begin_capture()
        multiply(library, handle, a, b, c)
        graph = stream.end_capture()
        assert c.get()[0, 0] == 1
        graph.launch()
        np.testing.assert_array_equal(c.get(), expected)


def test_errors_return_status(library, handle, machine, cp):
    (a, b, c), _ = matrices(cp)
    assert multiply(library, ctypes.c_void_p(1), a, b, c) == 1
    large = cp.ones((20, 3), "f")
    cp.cuda.Device().synchronize()
    with machine.expected(fake_cupy.UseAfterFreeError, "over the end"):
        multiply(library, handle, large, large.reshape(3, 20), c)
    with cp.cuda.Device(1):
        d = cp.empty((2, 4), "f")
        assert multiply(library, handle, a, b, d) == 13


def test_handle_allocates_device_memory(machine):
    library, handle = fake_cupy.cublas.Library(), ctypes.c_void_p()
    there = machine.devices[0]
    before = there.allocated
    assert library.cublasCreate_v2(ctypes.byref(handle)) == 0
    assert there.allocated > before
    assert library.cublasDestroy_v2(handle) == 0
    there.total = before
    assert library.cublasCreate_v2(ctypes.byref(handle)) == fake_cupy.cublas.ALLOCATION_FAILED


def test_untyped_address_is_rejected(machine):
    """ctypes passes only the lower 32 bits of a Python int."""
    library, handle = fake_cupy.cublas.Library(), ctypes.c_void_p()
    library.cublasCreate_v2(ctypes.byref(handle))
    with pytest.raises(TypeError, match="has no ctypes type"):
        library.cublasSetWorkspace_v2(handle, 1 << 40, ctypes.c_size_t(4096))
