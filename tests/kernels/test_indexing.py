"""Gathered rows compared with NumPy, bit for bit."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tests.support import cases
from tests.support.cuda_on_cpu import running_in
from tfmini._src.devices.cuda import gather_scatter

NUMBERS = ["float32", "float64", "int32", "int64"]
ELEMENTS = ["bool", "int8", "float16", "float32", "float64", "complex128"]
HOW = {
    "update": None,
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "minimum": np.minimum,
    "maximum": np.maximum,
}


def drawn(shape, dtype, seed=0):
    random = np.random.RandomState(seed)
    values = random.randn(*shape) * 9
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.randn(*shape)
    return xp.asarray(values.astype(dtype))


def taken(params, indices, axis=0):
    """NumPy's take, with 0 for out-of-range indices."""
    known = (indices >= 0) & (indices < params.shape[axis])
    result = np.asarray(params).take(np.where(known, indices, 0), axis)
    shape = [1] * axis + list(indices.shape) + [1] * (params.ndim - axis - 1)
    return np.where(known.reshape(shape), result, result.dtype.type(0))


@cases.in_one_test
@pytest.mark.parametrize("indices_dtype", ["int32", "int64"])
@pytest.mark.parametrize("dtype", ELEMENTS)
@pytest.mark.parametrize("inner", [(), (1,), (3,), (4,), (2, 8)])
def test_gather(dtype, inner, indices_dtype):
    params = drawn((7, *inner), dtype)
    for shape in ((), (5,), (2, 3), (0,)):
        indices = xp.asarray(np.random.RandomState(1).randint(-2, 9, shape), indices_dtype)
        result = gather_scatter.gather(xp, params, indices)
        assert result.dtype == dtype
        np.testing.assert_array_equal(result, taken(params, indices))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_gather_along_axis(order, axis):
    params, indices = drawn((4, 5, 6), "float32"), xp.asarray([[3, 9], [0, -1]])
    np.testing.assert_array_equal(
        gather_scatter.gather(xp, params, indices, axis), taken(params, indices, axis)
    )


def test_gather_from_unaligned_addresses():
    """The address alignment determines the element width of accesses."""
    buffer = drawn((200,), "float32")
    for start in range(5):
        params = buffer[start : start + 64].reshape(8, 8)
        indices = xp.asarray([7, 0, 3])
        np.testing.assert_array_equal(gather_scatter.gather(xp, params, indices), params[[7, 0, 3]])


def test_gather_in_batches(order):
    params, indices = drawn((2, 3, 4, 5), "float32"), xp.asarray([[1, 9, 0], [3, 3, -1]])
    actual = gather_scatter.gather(xp, params, indices, axis=2, batch_dims=1)
    expected = np.stack([taken(p, i, axis=1) for p, i in zip(params, indices)])
    np.testing.assert_array_equal(actual, expected)
    actual = gather_scatter.gather(
        xp, params, xp.asarray(np.ones((2, 3, 2), int)), axis=2, batch_dims=2
    )
    np.testing.assert_array_equal(actual, params[:, :, [1, 1]])


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_gather_nd(order, dtype):
    params = drawn((3, 4, 5), "float32")
    for depth in (1, 2, 3):
        points = np.random.RandomState(depth).randint(-1, 5, (6, 2, depth))
        actual = gather_scatter.gather_nd(xp, params, xp.asarray(points, dtype))
        expected = np.zeros((6, 2, *params.shape[depth:]), "f")
        for position in np.ndindex(6, 2):
            point = points[position]
            if (point >= 0).all() and (point < params.shape[:depth]).all():
                expected[position] = params[tuple(point)]
        np.testing.assert_array_equal(actual, expected)


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64"])
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_one_hot(order, dtype, axis):
    indices = xp.asarray([[0, 3, 2], [200, 1, 4]], dtype)
    for values in ((np.float32(5), np.float32(-1)), (np.True_, np.False_), (1j, 0j)):
        on, off = (xp.asarray(v).reshape(1) for v in values)
        actual = gather_scatter.one_hot(xp, indices, 4, on, off, axis)
        hit = np.asarray(indices)[..., None] == np.arange(4)
        expected = np.moveaxis(np.where(hit, on, off), -1, axis)
        assert actual.dtype == on.dtype
        np.testing.assert_array_equal(actual, expected)


def applied(how, array, places, updates):
    """Applies the updates one after the other."""
    array = np.array(array)
    for i, position in enumerate(places):
        if 0 <= position < len(array):
            update = updates[i] if updates.ndim else updates
            array[position] = HOW[how](array[position], update) if HOW[how] else update
    return array


CASES = [(how, dtype) for how in HOW for dtype in NUMBERS]
CASES.remove(("divide", "int32"))  # NumPy's division yields floats: test_integer_division_truncates
CASES.remove(("divide", "int64"))


@cases.in_one_test
@pytest.mark.parametrize("how, dtype", CASES)
def test_scatter(order, how, dtype):
    for inner in ((), (5,), (3, 20)):
        array, updates = drawn((8, *inner), dtype), drawn((40, *inner), dtype, 1)
        if how == "multiply" and dtype.startswith("int"):
            updates %= 3
        for each in (updates, updates[(0,) * updates.ndim].reshape(())):
            actual, indices = array.copy(), np.random.RandomState(2).randint(-2, 11, 40)
            gather_scatter.scatter(xp, how, actual, xp.asarray(indices), xp.asarray(each))
            expected = applied(how, array, indices, each)
            if how == "add" and np.prod(inner, dtype=int) <= 16 and each.ndim:
                np.testing.assert_allclose(actual, expected, rtol=3e-6, atol=3e-5)
            else:
                np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("dtype", ELEMENTS)
def test_update_supports_all_dtypes(order, dtype):
    for inner in ((), (3,), (8,)):
        array, updates = drawn((8, *inner), dtype), drawn((40, *inner), dtype, 1)
        for each in (updates, updates[(0,) * updates.ndim].reshape(())):
            result, indices = array.copy(), np.random.RandomState(2).randint(-2, 11, 40)
            gather_scatter.scatter(xp, "update", result, xp.asarray(indices), xp.asarray(each))
            np.testing.assert_array_equal(result, applied("update", array, indices, each))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("how", ["add", "subtract"])
def test_complex_sums(how, dtype):
    for inner in ((), (3,), (20,)):
        array, updates = drawn((8, *inner), dtype), drawn((40, *inner), dtype, 1)
        for each in (updates, updates[(0,) * updates.ndim].reshape(())):
            actual, indices = array.copy(), np.random.RandomState(2).randint(-2, 11, 40)
            gather_scatter.scatter(xp, how, actual, xp.asarray(indices), xp.asarray(each))
            expected = applied(how, array, indices, each)
            np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("how", [how for how in HOW if how != "update"])
def test_float16_results_are_rounded_once(how):
    array, updates = drawn((8, 3), "float16"), drawn((20, 3), "float16", 1) / np.float16(8)
    actual, indices = array.copy(), np.random.RandomState(2).randint(-2, 11, 20)
    gather_scatter.scatter(xp, how, actual, xp.asarray(indices), xp.asarray(updates))
    expected = applied(how, array.astype("f"), indices, updates.astype("f"))
    np.testing.assert_array_equal(actual, expected.astype("float16"))


def test_supported_scatters():
    assert gather_scatter.scatters(np.bool_, "update")
    assert gather_scatter.scatters(np.complex64, "add")
    assert gather_scatter.scatters(np.float16, "maximum")
    assert not gather_scatter.scatters(np.complex64, "multiply")
    assert not gather_scatter.scatters(np.int8, "add")


def test_integer_division_truncates():
    array = xp.asarray([7, -7, 7, -7, 5])
    updates = xp.asarray([2, 2, -2, -2, 0])
    gather_scatter.scatter(xp, "divide", array, xp.asarray(np.arange(5)), updates)
    assert array.tolist() == [3, -3, -3, 3, 0]


def test_scatter_propagates_nan():
    for how in ("minimum", "maximum"):
        array, updates = xp.asarray([1.0, np.nan, 3.0]), xp.asarray([np.nan, 1.0, 2.0])
        gather_scatter.scatter(xp, how, array, xp.asarray([0, 1, 2]), updates)
        np.testing.assert_array_equal(array, [np.nan, np.nan, 2 if how == "minimum" else 3])


def test_distinct_indices_need_no_order(order):
    array, updates = drawn((9, 40), "float32"), drawn((4, 40), "float32", 1)
    indices = xp.asarray([7, 2, 8, 0], "int32")
    result = array.copy()
    gather_scatter.scatter(xp, "update", result, indices, updates, ordered=True)
    np.testing.assert_array_equal(result, applied("update", array, indices, updates))


@pytest.mark.parametrize("inner", [(), (1,), (6,), (50,)])
def test_sums_of_many_duplicate_indices(order, inner):
    indices = np.sort(np.random.RandomState(0).choice([0, 1, 5, 6], 700))
    updates, array = drawn((700, *inner), "float64"), xp.asarray(np.zeros((8, *inner)))
    gather_scatter.scatter(xp, "add", array, xp.asarray(indices), updates, ordered=True)
    expected = np.zeros((8, *inner))
    np.add.at(expected, indices, updates)
    np.testing.assert_allclose(array, expected, rtol=1e-12, atol=1e-12)


def test_sums_are_deterministic_in_any_thread_order():
    indices, results = xp.asarray(np.random.RandomState(0).randint(0, 9, 900)), []
    for order in ("forward", "reverse", 5):
        with running_in(order):
            for inner in (1, 20):
                array = xp.asarray(np.zeros((9, inner), "f"))
                gather_scatter.scatter(xp, "add", array, indices, drawn((900, inner), "f"))
                results.append(array.tobytes())
    assert len(set(results)) == 2


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize(
    "how, start", [("add", 0), ("multiply", 1), ("minimum", 1e30), ("maximum", -1e30)]
)
def test_segment_reductions(how, start, ordered):
    ids = np.random.RandomState(0).randint(-1, 6, 30)
    ids = np.sort(ids) if ordered else ids
    rows = drawn((30, 3), "float64")
    actual = gather_scatter.reduce_segments(
        xp, how, rows, xp.asarray(ids, "int32"), 8, start, ordered
    )
    expected = applied(how, np.full((8, 3), float(start)), ids, rows)
    np.testing.assert_allclose(actual, expected, rtol=1e-12)


def padded(count, extent, share):
    """Positions, a given share of which are 3, and some out of range."""
    random = np.random.RandomState(count)
    indices = random.randint(-2, extent + 2, count)
    indices[random.rand(count) < share] = 3
    return indices


PARTS = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "minimum": np.minimum,
    "maximum": np.maximum,
}


@pytest.mark.parametrize("how", PARTS)
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_updates_are_split_into_parts(how, share, order, monkeypatch):
    """With exact arithmetic; runs begin, end and continue anywhere in a part."""
    monkeypatch.setattr(gather_scatter, "_MIN_UPDATES", 32)
    monkeypatch.setattr(gather_scatter, "_MIN_WARP_UPDATES", 32)
    launched = []
    monkeypatch.setattr(gather_scatter, "per_element", noted(launched, gather_scatter.per_element))
    for count, inner in ((32, 1), (33, 3), (65, 1), (97, 3), (300, 1)):
        indices = padded(count, 9, share)
        for dtype in ("f", "i4"):
            random = np.random.RandomState(1)
            updates = random.randint(-9, 9, (count, inner))
            if how == "multiply":
                updates = random.choice([-1, 1], (count, inner))
            updates = updates.astype(dtype)
            want = np.ones((9, inner), dtype)
            there = (indices >= 0) & (indices < 9)
            PARTS[how].at(want, indices[there], updates[there])
            actual = xp.asarray(np.ones((9, inner), dtype))
            gather_scatter.scatter(xp, how, actual, xp.asarray(indices), xp.asarray(updates))
            np.testing.assert_array_equal(actual, want)
    assert {f"{how}_gather_parts_f32", f"{how}_apply_parts_i32"} <= set(launched)


@pytest.mark.parametrize("how", ["minimum", "maximum"])
def test_nan_in_any_part_propagates(how, order):
    indices, updates = np.zeros(1100, "i4"), np.ones((1100, 1), "f")
    updates[500] = np.nan
    result = xp.asarray(np.zeros((2, 1), "f"))
    gather_scatter.scatter(xp, how, result, xp.asarray(indices), xp.asarray(updates))
    np.testing.assert_array_equal(result, [[np.nan], [0]])


def noted(names, function):
    """Wraps the function to record launched kernels."""

    def each(xp, file, kernel, *arguments):
        names.append(kernel)
        return function(xp, file, kernel, *arguments)

    return each


def test_mostly_padding_indices():
    """No thread processes all of them: hundreds of updates are split into hundreds of parts."""
    indices = padded(1200, 50, 0.5)
    updates = drawn((1200, 20), "f")
    actual = [xp.asarray(np.zeros((50, 20), "f")) for _ in range(2)]
    for each in actual:
        gather_scatter.scatter(xp, "add", each, xp.asarray(indices), updates)
    want = np.zeros((50, 20))
    there = (indices >= 0) & (indices < 50)
    np.add.at(want, indices[there], np.asarray(updates, "d")[there])
    np.testing.assert_allclose(actual[0], want, rtol=1e-4, atol=1e-4)
    assert np.asarray(actual[0]).tobytes() == np.asarray(actual[1]).tobytes()
