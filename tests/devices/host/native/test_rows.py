"""Row extremes and sums, and scattered rows, compared with NumPy."""

import itertools

import numpy as np
import pytest

from tfmini._src.devices.host.native import rows

SHAPES = [(5000, 1), (1030, 4), (300, 16), (700, 17), (70, 63), (3, 4001), (1100, 1000)]


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_row_extremes_match_numpy(build, name, dtype):
    for shape in SHAPES:
        x = np.random.RandomState(shape[1]).randn(*shape).astype(dtype)
        x[::3, shape[1] // 2] = np.nan
        x[1] = np.nan
        limit = -np.inf if "max" in name else np.inf
        expected = getattr(np, name).reduce(x, axis=1, initial=limit)
        np.testing.assert_array_equal(rows.extremes(name, x, limit), expected)


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_row_sums_match_numpy(build, dtype):
    for shape in [(200, 32), (70, 63), (64, 64), (40, 131), (3, 4001), (1100, 1000)]:
        rng = np.random.RandomState(shape[1])
        whole = rng.randint(-999, 999, shape).astype(dtype)
        np.testing.assert_array_equal(rows.row_sums(whole), whole.sum(1))
        x = rng.randn(*shape).astype(dtype)
        np.testing.assert_allclose(
            rows.row_sums(x), x.astype(np.longdouble).sum(1), rtol=0, atol=200 * np.finfo(dtype).eps
        )
        x[0, -1], x[1, 0], x[2, :2] = np.nan, np.inf, [np.inf, -np.inf]
        np.testing.assert_array_equal(
            np.isfinite(rows.row_sums(x)[:4]), [False] * 3 + [True] * (shape[0] > 3)
        )
        assert rows.row_sums(x)[1] == np.inf


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", ["f", "d", np.int8, "V3"])
def test_row_scatter_matches_numpy(build, dtype, index):
    rng = np.random.RandomState(0)
    width = np.dtype(dtype).itemsize
    for places, count, columns in ((50, 6000, 1), (9000, 70, 61), (130, 90_000, 1 + 50 // width)):
        inputs = rng.bytes(count * columns * width)
        inputs = np.frombuffer(inputs, f"V{width}").view(dtype).reshape(count, columns)
        ids = rng.randint(0, places, count).astype(index)
        array = np.zeros((places, columns), dtype)
        expected = array.copy()
        for position, row in dict(zip(ids.tolist(), range(count))).items():
            expected[position] = inputs[row]
        assert rows.set_rows(array, ids, inputs)
        assert array.tobytes() == expected.tobytes()


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", ["f", "d", np.int32, np.int64])
def test_scatter_add_matches_numpy(build, dtype, index):
    rng = np.random.RandomState(0)
    for columns in (1, 7, 300):
        count = 6000 // columns + 20
        inputs = rng.randint(-99, 99, (count, columns)).astype(dtype)
        ids = rng.randint(0, 30, count).astype(index)
        expected = np.zeros((31, columns), dtype)
        np.add.at(expected, ids, inputs)
        np.testing.assert_array_equal(rows.sum_rows(inputs, ids, 31), expected)
        array = np.ones((31, columns), dtype)
        assert rows.add_rows(array, ids, inputs)
        np.testing.assert_array_equal(array, expected + 1)
        assert rows.add_rows(array, ids, inputs, subtracts=True)
        np.testing.assert_array_equal(array, np.ones_like(array))


def test_partition_and_stitch_round_trip(build):
    rng = np.random.RandomState(0)
    for count, columns, dtype in ((0, 3, "f"), (1, 1, "V3"), (50, 4, np.int8), (700, 33, "d")):
        inputs = np.frombuffer(rng.bytes(count * columns * np.dtype(dtype).itemsize), dtype)
        inputs, ids = inputs.reshape(count, columns), rng.randint(0, 5, count).astype("i")
        places = np.arange(count, dtype="i")
        if count:
            ordered, sizes = rows.partition_rows(inputs, ids, 5)
            assert ordered.tobytes() == inputs[ids.argsort(kind="stable")].tobytes()
            assert sizes.tolist() == np.bincount(ids, minlength=5).tolist()
            assert rows.partition_rows(inputs, ids, int(ids.max())) is None
            assert rows.partition_rows(inputs, ids - 5, 5) is None
        parts = [ids == part for part in range(5)]
        merged = rows.stitch([places[p] for p in parts], [inputs[p] for p in parts], (columns,))
        assert merged.tobytes() == inputs.tobytes()
    assert rows.stitch([places - 1], [inputs], (columns,)) is None
    merged = rows.stitch([np.array([4, 1, 4], "i")], [np.array([1, 2, 3])], ())
    assert merged.tolist() == [0, 2, 0, 0, 3]
    for limit, ids in itertools.product((1, 4, 5), ([4, 0], [-1], [])):
        for index in (np.int32, np.int64):
            inside = rows.are_inside(np.array(ids, index), limit)
            assert inside is all(0 <= i < limit for i in ids)


def test_unsupported_inputs_fall_back_to_numpy(build):
    inputs, ids = np.ones((5000, 2), "f"), np.zeros(5000, int)
    array = np.zeros((3, 2), "d")
    assert not rows.add_rows(array, ids, inputs)
    assert rows.sum_rows(inputs.astype(np.float16), ids, 3) is None
    assert rows.sum_rows(inputs[::2], ids[::2], 3) is None
    assert rows.extremes("maximum", inputs[:0], -np.inf) is None
    assert not rows.set_rows(array, ids[::2], inputs.astype("d")[::2])
    assert rows.row_sums(inputs) is None  # rows are short
    assert rows.row_sums(np.ones((200, 64), "f")[:, ::2]) is None
    assert rows.row_sums(np.ones((200, 64), np.float16)) is None
    assert not array.any()


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_row_products_match_numpy(build, dtype):
    for shape in [(5000, 1), (1999, 3), (400, 17), (81, 64), (3, 4001)]:
        x = np.random.RandomState(1).choice([1, -1, 0.5, 2], shape).astype(dtype)
        x[0, -1], x[1, 0], x[2] = np.nan, np.inf, 0
        np.testing.assert_array_equal(rows.row_products(x), x.prod(1))
    assert rows.row_products(x[:, :5]) is None


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", ["f", "d", np.int8, "V3"])
def test_row_gather_matches_numpy(build, monkeypatch, dtype, index):
    monkeypatch.setattr(rows, "_MIN_PARALLEL_GATHER_BYTES", 1 << 12)
    rng = np.random.RandomState(0)
    size = np.dtype(dtype).itemsize
    for shape, wanted in (((9,), (2, 3)), ((50, 61), (4000,)), ((7, 3, 40), (5, 9)), ((4, 2), ())):
        table = rng.bytes(int(np.prod(shape)) * size)
        table = np.frombuffer(table, f"V{size}").view(dtype).reshape(shape)
        ids = np.asarray(rng.randint(0, shape[0], wanted), index)
        got = rows.take_rows(table, ids)
        assert got.shape == wanted + shape[1:]
        assert got.tobytes() == table[ids].tobytes()
        for wrong in (-1, shape[0]):
            bad = ids.copy().reshape(-1)
            bad[-1] = wrong
            assert rows.take_rows(table, bad) is None
    assert rows.take_rows(table[:, :1], np.zeros(5, index)) is None
    assert rows.take_rows(table, np.zeros((5, 2), index)[:, 0]) is None
    assert rows.take_rows(table, np.zeros(0, index)).shape == (0, *table.shape[1:])
    assert rows.take_rows(table[:0], np.zeros(5, index)) is None


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", ["add", "multiply", "fmax", "fmin"])
def test_reduction_over_leading_axes(build, use_build, monkeypatch, name, dtype):
    rng = np.random.RandomState(0)
    for shape, axes in (
        *(((9, n, 500), (1,)) for n in (1, 3, 4, 5, 8)),
        *(((700, 7, columns), (1,)) for columns in (1, 9, 17)),
        ((3, 4, 5, 6, 70), (2, 3)),
        ((83, 51, 100), (0,)),
        ((40, 100, 100), (1,)),
    ):
        x = rng.randn(*shape).astype(dtype)
        x[rng.rand(*shape) < 0.01] = rng.choice([np.nan, np.inf, -np.inf, -0.0])
        wanted = getattr(np, name).reduce(x, axis=axes)
        results = set()
        for count in (1, 2, 5):
            monkeypatch.setattr(rows, "_threads", lambda x, count=count: count)
            results.add((got := rows.fold_axes(name, x, axes)).tobytes())
        np.testing.assert_allclose(got, wanted, *((1e-5, 1e-5) if dtype == "f" else (1e-13, 1e-13)))
        assert len(results) == 1
    assert rows.fold_axes(name, x, (2,)) is None
    assert rows.fold_axes(name, x.astype("e"), (1,)) is None
    assert rows.fold_axes(name, x[:, :, ::2], (1,)) is None
    use_build("0")
    assert rows.fold_axes(name, x, (1,)) is None
