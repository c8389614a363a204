"""Segment reductions compared with NumPy's `ufunc.at`."""

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host.native import segment_reduce


@pytest.fixture(autouse=True)
def small_arrays_too(monkeypatch):
    monkeypatch.setattr(segment_reduce, "_MIN_PARALLEL_ELEMENTS", 1 << 10)


@cases.in_one_test
@np.errstate(all="ignore")
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", ["f", "d", np.int32, np.int64])
@pytest.mark.parametrize("name", ["maximum", "minimum", "multiply"])
def test_segment_reductions_match_numpy(build, name, dtype, index):
    rng = np.random.RandomState(0)
    limits = (
        (-np.inf, np.inf) if dtype in ("f", "d") else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    )
    first = {"maximum": limits[0], "minimum": limits[1], "multiply": 1}[name]
    for count, columns, segments in ((40, 1, 3), (500, 7, 90), (3, 300, 2), (60, 33, 1)):
        rows = rng.choice([-3, -2, -1, 1, 2, 5], (count, columns)).astype(dtype)
        if rows.dtype.kind == "f":
            rows[rng.rand(*rows.shape) < 0.02] = rng.choice([np.nan, np.inf, -np.inf, 1e-40])
        ids = rng.randint(0, segments, count).astype(index)
        ids = np.sort(ids) if rng.rand() < 0.5 else ids
        expected = np.full((segments + 1, columns), first, dtype)
        getattr(np, name).at(expected, ids, rows)
        expected[segments] = 77
        result = np.full((segments + 1, columns), 77, dtype)
        facts = segment_reduce.reduce_rows(name, rows, ids, got := result)
        is_ascending, has_nan = (ids[1:] >= ids[:-1]).all(), (result != result).any()
        assert facts in (0, 3 + 4 * is_ascending + 8 * has_nan)
        onto = rng.choice([-1, 1, 3], result.shape).astype(dtype)
        combined = onto.copy()
        getattr(np, name).at(combined, ids, rows)
        assert segment_reduce.reduce_rows(name, rows, ids, onto, starts_seen=True) is not None
        np.testing.assert_array_equal(onto, combined)
        there = np.isin(np.arange(segments + 1), ids)
        np.testing.assert_array_equal(got[there], expected[there])
        assert (got[~there] == 77).all()


def test_unsupported_inputs_fall_back_to_numpy(build):
    rows, ids = np.ones((600, 4), "f"), np.zeros(600, int)
    result = np.full((2, 4), 5, "f")
    for value in (
        ("logaddexp", rows, ids, result),
        ("maximum", rows.astype(np.float16), ids, result.astype(np.float16)),
        ("maximum", rows.astype("d"), ids, result),
        ("maximum", rows[:, ::2], ids, result[:, ::2]),
        ("maximum", rows[:300], ids[::2], result),
        ("maximum", rows[:0], ids[:0], result),
    ):
        assert segment_reduce.reduce_rows(*value) is None
    assert (result == 5).all()
