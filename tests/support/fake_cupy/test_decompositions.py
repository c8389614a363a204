"""Emulated decompositions, transforms and padding compared with NumPy's, under CuPy's rules."""

import numpy as np
import pytest

from tests.support import fake_cupy

RANDOM = np.random.RandomState(0)


def symmetric(*shape, dtype="d"):
    a = RANDOM.randn(*shape).astype(dtype)
    return a + np.conj(a.swapaxes(-1, -2))


@pytest.mark.parametrize("shape", [(4, 4), (2, 3, 3)], ids=str)
@pytest.mark.parametrize("dtype", ["f", "d", "D", "e"])
def test_eigenvectors_are_column_major(cp, shape, dtype):
    """cupy/linalg/_eigenvalue.py, _syevd: order='F'; cupyx/_cusolver.pyx, _syevj_batched: swapaxes."""
    a = symmetric(*shape, dtype=dtype)
    values, vectors = cp.linalg.eigh(cp.asarray(a))
    assert (values.dtype, vectors.dtype) == (np.dtype(dtype.lower()), np.dtype(dtype))
    assert vectors.swapaxes(-1, -2).flags.c_contiguous
    want = np.linalg.eigvalsh(a.astype("f") if dtype == "e" else a)
    # cuSOLVER computes halves in float32 and rounds them to 11 bits.
    np.testing.assert_allclose(values.get(), want, rtol=1e-3 if dtype == "e" else 1e-5, atol=1e-6)
    assert (cp.linalg.eigvalsh(cp.asarray(a)).get() == values.get()).all()
    if dtype != "e":
        v = vectors.get()
        np.testing.assert_allclose(
            (v * values.get()[..., None, :]) @ v.conj().swapaxes(-1, -2), a, atol=1e-5
        )


def test_empty_float16_is_rejected(cp):
    """cupy/linalg/_eigenvalue.py, eigh: linalg_common_type(a) there, reject_float16=False in _syevd."""
    with pytest.raises(TypeError, match="float16 is unsupported"):
        cp.linalg.eigh(cp.zeros((0, 0), "e"))
    with pytest.raises(TypeError, match="float16 is unsupported"):
        cp.linalg.svd(cp.zeros((2, 2), "e"))


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("shape", [(2, 5), (5, 2), (3, 2, 4), (3, 4, 2), (2, 40, 3)], ids=str)
def test_singular_vectors(cp, shape, full):
    """cupy/linalg/_decomposition.py, svd and _svd_batched: gesvdj returns slices of full matrices."""
    a = RANDOM.randn(*shape)
    u, s, v = cp.linalg.svd(cp.asarray(a), full_matrices=full)
    want = np.linalg.svd(a, full_matrices=full)
    assert [m.shape for m in (u, s, v)] == [m.shape for m in want]
    np.testing.assert_allclose(s.get(), want[1])
    count = min(shape[-2:])
    result = (u.get()[..., :count] * s.get()[..., None, :]) @ v.get()[..., :count, :]
    np.testing.assert_allclose(result, a, atol=1e-12)
    small = len(shape) == 3 and max(shape) <= 32
    if small and not full:
        parts = [m for m in (u, v.swapaxes(-1, -2)) if m.shape[-1] < m.shape[-2]]
        assert not any(m.flags.c_contiguous or m.flags.f_contiguous for m in parts)
    assert (cp.linalg.svd(cp.asarray(a), compute_uv=False).get() == s.get()).all()


def test_decompositions_are_not_capturable(cp):
    """cupy_backends/cuda/libs/cusolver.pyx, setStream."""
    x = cp.ones((2, 2))
    stream = cp.cuda.Stream(non_blocking=True)
    cp.cuda.Device().synchronize()
    with stream:
        stream.begin_capture()
        for use in (cp.linalg.eigh, cp.linalg.eigvalsh, cp.linalg.svd, cp.linalg.qr):
            with pytest.raises(NotImplementedError, match="capturing"):
                use(x)
        with pytest.raises(
            cp.cuda.runtime.CUDARuntimeError, match="cudaErrorStreamCaptureInvalidated"
        ):
            stream.end_capture()


def test_fft_work_area_is_per_thread(machine, cp):
    """cupy/fft/_fft.py, _exec_fft: "do we need to add the current stream to keys?"."""
    x = cp.ones(8, "F")
    streams = [cp.cuda.Stream(non_blocking=True) for _ in range(2)]
    cp.cuda.Device().synchronize()
    with streams[0]:
        cp.fft.fft(x)
    with machine.expected(fake_cupy.RaceError, "a work area of fft"), streams[1]:
        cp.fft.fft(x)
    with streams[1]:
        streams[1].wait_event(streams[0].record())
        cp.fft.fft(x)
        cp.fft.fft(cp.ones(4, "F"))  # of a separate plan


def test_fft_plans_retain_memory(machine, cp):
    """cupy/cuda/cufft.pyx: the work area comes from memory.alloc, the current allocator; sixteen plans are cached."""
    pool = cp.cuda.MemoryPool()
    with cp.cuda.using_allocator(pool.malloc):
        for size in range(1, 21):
            cp.fft.fft(cp.ones(size, "F"))
    assert pool.used_bytes() == 16 * 512


PADS = [("constant", {}), ("constant", {"constant_values": 7}), ("reflect", {}), ("symmetric", {})]


@pytest.mark.parametrize("mode, options", PADS)
@pytest.mark.parametrize("shape", [(5,), (3, 4), (1, 3, 2)], ids=str)
def test_pad_matches_numpy(cp, mode, options, shape):
    """cupy/_padding/pad.py: implemented by slices."""
    a = np.arange(np.prod(shape), dtype="f").reshape(shape)
    widths = [(2, 1)] * len(shape)
    got = cp.pad(cp.asarray(a), widths, mode=mode, **options)
    np.testing.assert_array_equal(got.get(), np.pad(a, widths, mode=mode, **options))


def test_pad_launches_and_errors(machine, cp):
    x = cp.ones((2, 3))
    cp.pad(x, [(1, 1), (0, 2)])
    machine.counters.reset()
    cp.pad(x, [(1, 1), (0, 2)])  # set to zeros, then copied
    assert machine.counters.launches == 1
    cp.pad(x, [(1, 0), (2, 2)], mode="reflect")
    assert machine.counters.launches == 1 + 1 + 1 + 2
    assert cp.pad(cp.asfortranarray(x.T[:2]), 1).flags.f_contiguous
    with pytest.raises(TypeError, match="integral"):
        cp.pad(x, 1.5)
    with pytest.raises(ValueError, match="empty axis"):
        cp.pad(cp.ones((0, 2)), 1, mode="reflect")
