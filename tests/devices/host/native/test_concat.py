"""Concatenation compared with NumPy's."""

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host import threads
from tfmini._src.devices.host.native import concat


@pytest.fixture(params=[1, 2, 3])
def count(request, monkeypatch):
    monkeypatch.setattr(threads._threads, "count", request.param)
    monkeypatch.setattr(concat, "SMALL_CONCAT_BYTES", 0)
    return request.param


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f", "d", "i1", "c16", "S3", "M8[s]"])
@pytest.mark.parametrize("rank, axis", [(1, 0), (2, 0), (2, 1), (2, -1), (3, 0), (3, 1), (3, 2)])
def test_concat_matches_numpy(build, count, rank, axis, dtype):
    random = np.random.RandomState(rank)
    arrays = []
    for length in (5, 0, 1, 70):
        shape = [33, 4, 9][:rank]
        shape[axis] = length
        arrays.append(random.randint(0, 100, shape).astype(dtype))
    got = concat._concatenate(arrays, axis)
    assert got.dtype == arrays[0].dtype
    np.testing.assert_array_equal(got, np.concatenate(arrays, axis))
    np.testing.assert_array_equal(concat.concatenate(arrays, axis), got)


def test_column_slices(build, count):
    matrix = np.arange(2000.0).reshape(40, 50)
    arrays = [matrix[:, 3:20], matrix[::-1, :4], matrix[:, :1], matrix[::2, :9].repeat(2, 0)]
    got = concat._concatenate(arrays, 1)
    np.testing.assert_array_equal(got, np.concatenate(arrays, 1))


@cases.in_one_test
@pytest.mark.parametrize(
    "arrays, axis",
    [
        ([np.zeros((9, 9), "f"), np.zeros((9, 9), "d")], 0),
        ([np.zeros((9, 9))[:, ::2], np.zeros((9, 5))], 1),
        ([np.zeros((9, 9)).T[:4], np.zeros((4, 9))], 0),
        ([np.zeros(9, object), np.zeros(9, object)], 0),
    ],
    ids=["dtypes", "strided", "transposed", "objects"],
)
def test_unsupported_inputs_fall_back_to_numpy(build, count, arrays, axis):
    assert concat._concatenate(arrays, axis) is None
    expected = np.concatenate(arrays, axis)
    np.testing.assert_array_equal(concat.concatenate(arrays, axis), expected)


@cases.in_one_test
@pytest.mark.parametrize("axis", [-3, 0, 1, 2])
def test_mismatched_shapes_raise_numpy_error(build, count, axis):
    text = "dimensions except for the concatenation axis must match" if axis in (0, 1) else "axis"
    with pytest.raises(ValueError, match=f"{text}|axis {axis} is out of bounds"):
        concat.concatenate([np.zeros((20, 30)), np.zeros((21, 31))], axis)


def test_missing_library_falls_back_to_numpy(use_build):
    use_build("0")
    assert concat._concatenate([np.zeros(9), np.zeros(9)], 0) is None
