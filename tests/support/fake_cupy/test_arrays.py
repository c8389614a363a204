"""Arrays and functions: rules in which CuPy differs from NumPy."""

import ml_dtypes
import numpy as np
import pytest

from tests.support import fake_cupy


@pytest.fixture
def a(cp):
    return cp.arange(6, dtype="f").reshape(2, 3)


def test_results_are_device_arrays(a, cp):
    for result in (cp.sum(a), a[0, 0], a.max(), cp.count_nonzero(a), cp.array_equal(a, a)):
        assert isinstance(result, cp.ndarray) and result.shape == ()
    assert cp.allclose(a, a).dtype == bool
    assert cp.sum(a).get() == 15


@pytest.mark.parametrize(
    "use",
    [
        lambda cp, a, h: a + h,
        lambda cp, a, h: h + a,
        lambda cp, a, h: cp.add(a, h),
        lambda cp, a, h: np.add(a, h),
        lambda cp, a, h: cp.add(a, [1.0, 2.0, 3.0]),
        lambda cp, a, h: cp.sum(h),
        lambda cp, a, h: cp.sum([1, 2]),
        lambda cp, a, h: cp.concatenate([a, h]),
        lambda cp, a, h: cp.where(a > 1, a, h),
        lambda cp, a, h: cp.matmul(a, h.T),
        lambda cp, a, h: a.__setitem__(a > 1, h[0]),
        lambda cp, a, h: cp.copyto(a, h),
        lambda cp, a, h: cp.clip(a, h, None),
        lambda cp, a, h: np.asarray(a),
        lambda cp, a, h: np.array(a),
        lambda cp, a, h: np.concatenate([a, h]),
        lambda cp, a, h: h.__setitem__(0, a[0]),
    ],
)
def test_host_and_device_arrays_do_not_mix(cp, a, use):
    text = "Unsupported type|array of the device is needed|Only cupy arrays can|Implicit conversion"
    with pytest.raises(TypeError, match=text):
        use(cp, a, np.ones((2, 3), "f"))


def test_numpy_functions_return_device_arrays(a, cp):
    assert isinstance(np.exp(a), cp.ndarray)
    assert isinstance(np.sum(a), cp.ndarray)
    assert isinstance(np.linalg.norm(a), cp.ndarray)
    assert isinstance(np.float32(2) * a, cp.ndarray)


def test_promotion(cp):
    single, whole, small = cp.ones(2, "f"), cp.ones(2, "i"), cp.ones(2, "i1")
    assert (single * 2.5).dtype == "f4"
    assert (single * np.float64(2.5)).dtype == "f8"
    assert (whole * 2.5).dtype == "f8"
    assert (small + 1).dtype == "i1"
    assert (whole / whole).dtype == "f8"
    assert cp.exp(cp.ones(2, "e")).dtype == "f2"
    assert (whole + single).dtype == "f8"
    assert (cp.ones(2, bool) + 1).dtype == "i8"
    assert cp.sqrt(small).dtype == "f2"
    assert cp.add(whole, whole, dtype="f").dtype == "f4"
    assert (cp.ones(2, "u8") + (1 << 63)).get()[0] == (1 << 63) + 1
    with pytest.raises(OverflowError, match="300 out of bounds for uint8"):
        cp.ones(2, "u1") + 300
    with pytest.raises(TypeError, match="Wrong type"):
        cp.bitwise_and(single, 1)
    with pytest.raises(TypeError, match="same_kind"):
        cp.add(single, 1, out=whole)


def test_ufunc_loops_match_cupy(cp):
    assert cp.logical_not(cp.ones(1, "F").real).dtype == bool
    with pytest.raises(TypeError, match="Wrong type"):
        cp.logical_not(cp.ones(1, "F"))  # NumPy supports it
    assert cp.bitwise_count(cp.asarray(np.array([7], "i8"))).get() == 3


def test_bfloat16(cp):
    a = cp.ones(2, ml_dtypes.bfloat16)
    assert (a + a).dtype == ml_dtypes.bfloat16
    assert (a + a).get().astype("f").tolist() == [2, 2]


@pytest.mark.parametrize("dtype", [object, "U3", "S3", "M8[s]", "g"])
def test_unsupported_dtypes_are_rejected(cp, dtype):
    with pytest.raises(ValueError, match="Unsupported dtype"):
        cp.zeros(2, dtype)


def test_division(cp):
    a, zero = cp.asarray(np.array([5, -5], "i4")), cp.zeros(2, "i4")
    for result in (a // zero, a % zero, cp.fmod(a, zero)):
        assert result.get().tolist() == [0, 0]
    x, y = cp.asarray(np.array([1.0, 1.0])), cp.asarray(np.array([0.1, np.inf]))
    assert (x // y).get().tolist() == [10, 0]  # NumPy: 9, 0
    np.testing.assert_array_equal((x % y).get(), [0, np.nan])
    assert cp.fmod(cp.asarray(np.array([2**53 + 1])), 2).get() == 0


def test_integers_raised_to_negative_powers(cp):
    base = cp.asarray(np.array([2, 1, -1, -1, 0], "i4"))
    power = cp.asarray(np.array([-1, -1, -1, -2, -1], "i4"))
    assert (base**power).get().tolist() == [0, 1, -1, 1, 0]


def test_out_of_range_float_casts_give_garbage(cp):
    values = cp.asarray(np.array([1.5, np.nan, np.inf, -1, 300], "f"))
    assert values.astype("u1").get().tolist() == [1, 0x5A, 0x5A, 0x5A, 0x5A]
    whole = cp.zeros(5, "i4")
    whole[...] = values
    assert whole.get().tolist() == [1, 0x5A5A5A5A, 0x5A5A5A5A, -1, 300]


def test_indices_out_of_range_wrap(a, cp):
    index = cp.asarray(np.array([0, 4, -4]))
    assert a[:, index].get()[0].tolist() == [0, 1, 2]
    assert cp.take(a, index, axis=1).get()[0].tolist() == [0, 1, 2]
    assert a.take(cp.asarray(np.array([7]))).get() == 1
    assert a.take(cp.asarray(np.array([6 - (1 << 62) // 6 * 6]))).get() == 0  # immediately
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 2"):
        a[5]
    with pytest.raises(ValueError, match="non-scalar"):
        a[0] = np.ones(3)
    with pytest.raises(TypeError, match="Output dtype"):
        cp.take(a, index, out=cp.empty(3, "d"))


def test_conflicting_duplicate_indices_are_undefined(a, machine, cp):
    twice = cp.asarray(np.array([0, 0]))
    with machine.expected(fake_cupy.UndefinedError):
        a[0, twice] = cp.asarray(np.array([1, 2], "f"))
    a[0, twice] = cp.asarray(np.array([3, 3], "f"))
    a[0, twice] = 4
    assert a[0, 0].get() == 4


def test_scatters_count_duplicates(cp, cupyx):
    twice = cp.asarray(np.array([0, 0]))
    for scatter, result in (
        (cupyx.scatter_add, 3),
        (cp.add.at, 3),
        (cupyx.scatter_max, 2),
        (cp.minimum.at, 0),
    ):
        a = cp.zeros(3, "f")
        scatter(a, twice, cp.asarray(np.array([1, 2], "f")))
        assert a[0].get() == result
    with pytest.raises(TypeError, match="int64"):
        cupyx.scatter_add(cp.zeros(3, "i8"), twice, 1)
    with pytest.raises(TypeError, match="scatter_sub does not support float64"):
        cp.subtract.at(cp.zeros(3), twice, 1.0)  # _scatter_op_single: int32 and uint32 only
    with pytest.raises(NotImplementedError, match="`cupy_multiply.at` is not supported yet"):
        cp.multiply.at(cp.zeros(3), twice, 1)


def test_unsupported_ufunc_methods(a, cp):
    assert cp.add.reduce(a, 1).get().tolist() == [3, 12]
    assert cp.add.reduceat(a[0], cp.asarray(np.array([0, 2]))).get().tolist() == [1, 2]
    with pytest.raises(NotImplementedError, match="`cupy_maximum.reduce` is not supported"):
        cp.maximum.reduce(a)
    with pytest.raises(NotImplementedError, match="`cupy_maximum.reduceat` is not supported yet"):
        cp.maximum.reduceat(a, [0])


def test_views_share_memory_without_launches(a, machine, cp):
    machine.counters.reset()
    views = [a.T, a[0], a.reshape(-1), a[:, ::2], a.ravel(), cp.broadcast_to(a, (4, 2, 3)), a[None]]
    views.append(cp.split(a, 2)[0])
    assert machine.counters.launches == 0
    a[0, 0] = 7
    assert all(cp.any(view == 7).get() for view in views)
    assert a.T.base is a.base or a.T.base is a


def test_views_of_empty_arrays(cp):
    nothing = cp.empty((0, 5, 3), "f")[:, 1]
    assert nothing.reshape(0, 1, 3).shape == (0, 1, 3)
    assert cp.concatenate([nothing, cp.ones((2, 3), "f")]).get().tolist() == [[1.0] * 3] * 2


def test_sorting(cp):
    a = cp.asarray(np.array([3.0, 1, 2]))
    a.sort()
    assert a.get().tolist() == [1, 2, 3]
    with pytest.raises(NotImplementedError, match="Sorting non-contiguous array is not supported"):
        cp.ones((2, 4)).T.sort()
    with pytest.raises(ValueError, match="kind can only be None or 'stable'"):
        cp.sort(a, kind="quicksort")


def test_in_place_functions(a, cp):
    cp.copyto(a, 5)
    a.fill(1)
    a += 1
    a[a > 1] = 3
    assert (a == 3).all().get()
    cp.copyto(a, cp.asarray(7.0), where=a == 3)
    cp.clip(a, np.nan, 6.0, out=a)  # a NaN bound has no effect
    assert (a == 6).all().get()


def test_singular_matrix_raises_no_error(cp):
    batch = np.array([[[1, 0], [0, 1]], [[0, 0], [0, 0]]], "d")
    inverse = cp.linalg.inv(cp.asarray(batch)).get()
    np.testing.assert_array_equal(inverse[0], np.eye(2))
    assert np.isfinite(inverse[1]).all()
    assert np.isfinite(cp.linalg.cholesky(cp.asarray(-np.eye(2))).get()).all()
    with pytest.raises(
        np.linalg.LinAlgError, match="Last 2 dimensions of the array must be square"
    ):
        cp.linalg.inv(cp.ones((2, 3)))


def test_linalg_errors_are_opt_in(cp, cupyx, machine):
    """cupy/linalg/_util.py, _check_cusolver_dev_info_if_synchronization_allowed: synchronizes in any case."""
    with cupyx.errstate(linalg="raise"):
        for use in (cp.linalg.inv, cp.linalg.cholesky, lambda a: cp.linalg.solve(a, a)):
            machine.counters.reset()
            use(cp.eye(2))
            assert machine.counters.syncs == 1
            with pytest.raises(np.linalg.LinAlgError, match="Error reported by .* in cuSOLVER"):
                use(cp.zeros((2, 2)))
    cp.linalg.inv(cp.zeros((2, 2)))


def test_solve_does_not_broadcast(cp):
    """cupy/linalg/_solve.py, solve."""
    with pytest.raises(ValueError, match=r"a must have \(..., M, M\) shape"):
        cp.linalg.solve(cp.ones((3, 2, 2)), cp.ones((2, 2)))


def test_scalars_fill_arrays(a, machine, cp):
    """cupy/_core/core.pyx, fill."""
    machine.counters.reset()
    a.fill(0)
    a[1] = 0
    assert not machine.counters.launches  # a memory set
    a[:, 1] = 0
    a.fill(2)
    assert machine.counters.launch_names == {"fill": 2}
    with pytest.raises(OverflowError, match="1099511627776 out of bounds for int32"):
        cp.zeros(2, "i4")[...] = 1 << 40
    for value in ([1.0, 2.0, 3.0], cp.ones(3)):
        with pytest.raises(ValueError, match="non-scalar"):
            a[0].fill(value)
    machine.counters.reset()
    a.fill(cp.asarray(2.0))  # compared with 0 on the host
    assert machine.counters.syncs == 1


def test_matching_rows_are_copied(a, machine, cp):
    """cupy/_core/_routines_indexing.pyx, _scatter_op: a memory copy if layout and dtype are equal, else a launch."""
    b = cp.ones((2, 3), "f")
    machine.counters.reset()
    a[...] = b
    a[...] = a
    assert (machine.counters.launches, machine.counters.copies["d2d"]) == (0, 1)
    a[:, :2] = b[:, 1:]
    a[...] = b.astype("d")
    assert machine.counters.launch_names["setitem"] == 2
    cp.copyto(a, b)  # cupy/_manipulation/basic.py, _can_memcpy
    assert machine.counters.copies["d2d"] == 2
    assert a.get().tolist() == [[1] * 3] * 2


def test_where_and_clip_dtypes(cp):
    """cupy/_sorting/search.py, _where_ufunc; cupy/_core/_routines_math.pyx, _clip: no bfloat16."""
    half, whole = cp.ones(2, "bfloat16"), cp.ones(2, "i")
    assert cp.where(half > 0, half, half).dtype == "f4"
    assert cp.clip(half, 0, 1).dtype == "f4"
    assert cp.where(whole > 0, whole, 0).dtype == "i4"
    assert cp.where(whole, whole, 0.5).dtype == "f8"
    assert cp.clip(whole, 2, None).get().tolist() == [2, 2]
    with pytest.raises(TypeError, match="Wrong type .*complex64.* of arguments for cupy_clip"):
        cp.clip(cp.ones(2, "F"), 0, 1)


def test_reduceat_subtracts_running_sums(cp):
    """cupy/_core/_routines_indexing.pyx, _add_reduceat."""
    a = cp.asarray(np.array([1, np.inf, 2, 3.0]))
    got = cp.add.reduceat(a, cp.asarray(np.array([0, 1, 2]))).get()
    np.testing.assert_array_equal(got, [1, np.inf, np.nan])


def test_forbidden_copies_are_rejected(a, cp):
    """cupy/_core/core.pyx, _astype."""
    assert cp.asarray(a, copy=False) is a
    with pytest.raises(ValueError, match="avoid copy"):
        cp.asarray(a, "d", copy=False)


def test_empty_array_transfer_does_not_synchronize(machine, cp):
    """cupy/_core/core.pyx, get."""
    with machine.forbid_sync():
        assert cp.empty((0, 3), "i").get().shape == (0, 3)


def test_scipy_functions(cp):
    special = fake_cupy.MODULES["cupyx.scipy.special"]
    a = cp.asarray(np.array([0.5, 2], "f"))
    assert special.erf(a).dtype == "f4"
    np.testing.assert_allclose(special.gammaln(a).get(), [0.5723649, 0], atol=1e-6)
    linalg = fake_cupy.MODULES["cupyx.scipy.linalg"]
    solved = linalg.solve_triangular(cp.asarray(np.eye(2)), a.astype("d"), lower=True)
    np.testing.assert_array_equal(solved.get(), [0.5, 2])


def test_foreign_device_arrays(a, machine, cp):
    class Theirs:
        __cuda_array_interface__ = a.__cuda_array_interface__

    b = cp.asarray(Theirs())
    assert b.data.ptr == a.data.ptr
    np.testing.assert_array_equal((b + 1).get(), (a + 1).get())
    c = cp.from_dlpack(a)
    assert c.data.ptr == a.data.ptr
    d = cp.array(Theirs(), copy=True)
    assert d.data.ptr != a.data.ptr


def test_shared_memory_requires_stream_order(a, machine, cp):
    producer, consumer = (cp.cuda.Stream(non_blocking=True) for _ in range(2))
    cp.cuda.Device().synchronize()
    with producer:
        a += 1
        facts = a.__cuda_array_interface__

    class Theirs:
        __cuda_array_interface__ = facts

    with consumer:
        cp.asarray(Theirs()) + 1
        with machine.expected(fake_cupy.RaceError):
            a.fill(0)
            with producer:
                a + 1


def test_module(a, cp):
    assert (cp.get_array_module(a, 1), cp.get_array_module(np.ones(2))) == (cp, np)
    for name in ("insert", "block", "object_", "matrix", "apply_along_axis_"):
        assert not hasattr(cp, name)


@pytest.mark.parametrize(
    "use, error, text",
    [
        # cupy/_core/_routines_indexing.pyx, _take
        (
            lambda cp, a: cp.take(a, cp.arange(2), axis=0, out=cp.empty((1, 3))),
            *(ValueError, "Output shape mismatch"),
        ),
        # cupy/_core/_routines_manipulation.pyx, _repeat
        (
            lambda cp, a: cp.repeat(a, np.array([1, 2]), axis=0),
            *(TypeError, "'repeats' does not accept numpy.ndarray"),
        ),
        (
            lambda cp, a: cp.repeat(a, cp.ones(2, "Q"), axis=0),
            *(TypeError, r"Cannot cast array data from dtype\('uint64'\)"),
        ),
        # cupy/_sorting/search.py, _searchsorted
        (lambda cp, a: cp.searchsorted(a, a), ValueError, "object too deep for desired array"),
        (
            lambda cp, a: cp.searchsorted(a[0], np.float32(1)),
            *(NotImplementedError, "are supported for v"),
        ),
        (
            lambda cp, a: cp.searchsorted(np.ones(2), a),
            *(NotImplementedError, "are supported for a"),
        ),
        # cupy/_core/_routines_statistics.pyx, _ndarray_min
        (lambda cp, a: a.min(1, cp.empty(2)), TypeError, "Wrong type .* of arguments"),
        (lambda cp, a: cp.min(a, axis=1, out=cp.empty(2)), TypeError, "Wrong type .* of arguments"),
        # cupy/fft/_fft.py, _fftn
        (
            lambda cp, a: cp.fft.fftn(cp.ones((0, 3)), axes=(1,)),
            *(ValueError, r"Invalid number of FFT data points \(0\) specified."),
        ),
        # cupy/cuda/thrust.pyx by common._get_dtype_id
        (lambda cp, a: cp.sort(a.astype("bfloat16")), ValueError, r"dtype \(bfloat16\)"),
        (lambda cp, a: cp.argsort(a.astype("bfloat16")), ValueError, r"dtype \(bfloat16\)"),
        (lambda cp, a: cp.isin(a, a.astype("bfloat16")), ValueError, r"dtype \(bfloat16\)"),
        # cupy/_core/core.pyx, _compute_concat_info_impl
        (lambda cp, a: cp.array([a[0, 0], 1.0]), TypeError, "Implicit conversion"),
        (lambda cp, a: cp.array([a, a[:1]]), TypeError, "Implicit conversion"),
        (lambda cp, a: cp.arange(a[0, 0]), TypeError, "Implicit conversion"),
        # cupy/_manipulation/basic.py, copyto
        (lambda cp, a: cp.copyto(cp.zeros(2, "i"), 1.5), TypeError, "same_kind"),
        (lambda cp, a: cp.copyto(cp.zeros(2, "i"), np.float32(1)), TypeError, "same_kind"),
    ],
)
def test_invalid_arguments(cp, use, error, text):
    a = cp.ones((2, 3))
    with pytest.raises(error, match=text):
        use(cp, a)


def test_implicit_transfers_to_device(cp, machine):
    """cupy/_core/core.pyx, _array_default: lists are copied, scalars are not; _repeat also synchronizes for the
    size.
    """
    a = cp.asarray(np.array([1, np.nan, np.inf]))
    for use, copies, waits in [
        (lambda: cp.nan_to_num(a), 0, 0),
        (lambda: cp.diff(a, append=1.0), 0, 0),
        (lambda: cp.repeat(a, [1, 2, 3]), 1, 1),
        (lambda: cp.repeat(a, 2), 0, 0),
    ]:
        machine.counters.reset()
        use()
        assert (machine.counters.copies["h2d"], machine.counters.syncs) == (copies, waits)
    assert cp.nan_to_num(a, nan=5.0, posinf=6.0).get().tolist() == [1, 5, 6]
    assert cp.nan_to_num(a, False) is a


def test_copies_preserve_axis_order(cp):
    """NumPy's memory order "K", as in CuPy: empty_like, astype, copy("K") and array."""
    a = cp.arange(24, dtype="f").reshape(2, 3, 4).transpose(1, 2, 0)
    assert a.strides == (16, 4, 48)
    for made in (cp.empty_like(a), a.astype("f"), a.copy("K"), cp.array(a), cp.zeros_like(a)):
        assert made.strides == (16, 4, 48)
    assert a.astype("d").strides == (32, 8, 96)
    for made in (a.copy(), a + a, cp.empty_like(a, order="C")):
        assert made.strides == (32, 8, 4)


def test_overlapping_output_copies_input(cp, machine):
    a = cp.arange(6, dtype="f")
    for out, launches in (
        (a, {"add": 1}),
        (a[:], {"copy": 1, "add": 1}),
        (a[1:], {"copy": 1, "add": 1}),
    ):
        machine.counters.reset()
        cp.add(a[: out.size] if out.size < a.size else a, 1.0, out=out)
        assert machine.counters.launch_names == launches


def test_sort_takes_several_launches(cp, machine):
    a = cp.arange(6, dtype="f")
    machine.counters.reset()
    cp.sort(a), cp.argsort(a)
    assert machine.counters.launches == 10
