"""Frame and series members removed from pandas; hand-computed values."""

import warnings

import numpy as np
import pytest

from tests.support.lazy_modules import LazyModule, needs

pytestmark = needs("pandas")
pd = LazyModule("pandas")
shims = LazyModule("tfmini._src.programs.hook.shims.pandas_shims")


@pytest.fixture
def frame():
    return pd.DataFrame({"a": [1, 2, 3], "b": [4.0, 5.0, 6.0]}, index=["x", "y", "z"])


def test_ix_by_label_or_position(frame):
    ix = shims.ix(frame)
    assert ix["y", "b"] == ix[1, 1] == ix["y", 1] == ix[1, "b"] == 5.0
    assert ix["y"].tolist() == ix[1].tolist() == [2.0, 5.0]
    assert ix[["x", "z"], "a"].tolist() == ix[[0, 2], 0].tolist() == [1, 3]
    assert ix[0:2, "a"].tolist() == [1, 2] and ix["x":"y", "a"].tolist() == [1, 2]
    assert ix[:, "b"].tolist() == ix[:, 1].tolist() == [4.0, 5.0, 6.0]
    ix["x", "a"] = 7
    ix[1] = [8, 9.0]
    assert frame.to_numpy().tolist() == [[7, 4.0], [8, 9.0], [3, 6.0]]
    series = pd.Series([1, 2, 3], index=[2, 0, 1])
    assert shims.ix(series)[0] == 2 and shims.ix(series)[[1, 2]].tolist() == [3, 1]
    assert shims.ix(pd.Series([1, 2], index=["p", "q"]))[1] == 2


def test_append_rows(frame):
    more = shims.append(frame, {"b": 7.0, "a": 9}, ignore_index=True)
    assert more.to_numpy().tolist() == [[1, 4.0], [2, 5.0], [3, 6.0], [9, 7.0]]
    assert list(more.index) == [0, 1, 2, 3] and list(more.columns) == ["a", "b"]
    named = shims.append(frame, pd.Series({"a": 9, "b": 7.0}, name="w"))
    assert list(named.index) == ["x", "y", "z", "w"]
    wider = shims.append(frame, [pd.DataFrame({"c": [1], "a": [2]}), {"b": 0.0}])
    assert list(wider.columns) == ["a", "b", "c"] and len(wider) == 5
    assert list(shims.append(frame, pd.DataFrame({"c": [1], "a": [2]}), sort=True)) == [
        "a",
        "b",
        "c",
    ]
    empty = pd.DataFrame(columns=["b", "a"])
    assert list(shims.append(empty, frame)) == ["b", "a"] and shims.append(empty, empty).empty
    series = pd.Series([1, 2])
    assert shims.append(series, pd.Series([3])).tolist() == [1, 2, 3]
    assert list(shims.append(series, pd.Series([3])).index) == [0, 1, 0]
    with pytest.raises(ValueError, match="overlap"):
        shims.append(series, pd.Series([3]), verify_integrity=True)


def test_get_and_set_value(frame):
    assert shims.get_value(frame, "y", "b") == shims.get_value(frame, 1, 1, takeable=True) == 5.0
    assert shims.set_value(frame, "y", "b", 8.0) is frame and frame.loc["y", "b"] == 8.0
    shims.set_value(frame, 0, 0, 7, takeable=True)
    series = pd.Series([1, 2], index=["p", "q"])
    assert shims.get_value(series, "q") == 2 and frame.iloc[0, 0] == 7
    assert shims.set_value(series, "q", 5).tolist() == [1, 5]
    assert shims.lookup(frame, ["x", "z"], ["b", "a"]).tolist() == [4.0, 3.0]
    with pytest.raises(ValueError, match="zip"):
        shims.lookup(frame, ["x"], ["b", "a"])


def test_as_matrix_and_ravel(frame):
    assert shims.as_matrix(frame).tolist() == [[1, 4.0], [2, 5.0], [3, 6.0]]
    assert shims.as_matrix(frame, ["b"]).tolist() == [[4.0], [5.0], [6.0]]
    series = pd.Series([0, 3, 0, 4])
    assert shims.ravel(series).tolist() == [0, 3, 0, 4]
    assert [each.tolist() for each in shims.nonzero(series)] == [[1, 3]]
    assert shims.value_counts([1, 2, 1]).to_dict() == {1: 2, 2: 1}
    assert shims.value_counts([1, 2, 1], normalize=True)[1] == pytest.approx(2 / 3)


def test_sort_frames(frame):
    assert shims.sort(frame, "b", ascending=False)["a"].tolist() == [3, 2, 1]
    assert list(shims.sort(frame, ascending=False).index) == ["z", "y", "x"]
    assert list(shims.sort(frame, axis=1, ascending=False)) == ["b", "a"]


def test_mean_absolute_deviation(frame):
    assert shims.mad(frame["a"]) == pytest.approx(2 / 3)
    assert shims.mad(frame).tolist() == pytest.approx([2 / 3, 2 / 3])
    assert shims.mad(frame, axis=1).tolist() == [1.5, 1.5, 1.5]


def test_from_csv_and_from_items(tmp_path):
    (tmp_path / "a.csv").write_text("k;v\np;1\nq;2\n")
    result = shims.from_csv(tmp_path / "a.csv", sep=";")
    assert list(result.index) == ["p", "q"] and result["v"].tolist() == [1, 2]
    assert list(shims.from_items([("b", [1]), ("a", [2])])) == ["b", "a"]


def test_rolling_windows():
    values = [1.0, 4.0, 2.0, 8.0]
    expected = {
        "max": [4.0, 4.0, 8.0],
        "mean": [2.5, 3.0, 5.0],
        "median": [2.5, 3.0, 5.0],
        "min": [1.0, 2.0, 2.0],
        "std": [4.5**0.5, 2**0.5, 18**0.5],
        "sum": [5.0, 6.0, 10.0],
        "var": [4.5, 2.0, 18.0],
    }
    for name, numbers in expected.items():
        moving = getattr(shims, f"rolling_{name}")
        assert moving.__name__ == f"rolling_{name}"
        result = moving(np.array(values), 2)
        assert np.isnan(result[0]) and result[1:].tolist() == pytest.approx(numbers)
    series = pd.Series(values)
    assert shims.rolling_sum(series, 3, min_periods=1).tolist() == [1.0, 5.0, 7.0, 14.0]
    assert shims.rolling_sum(series, 3, center=True).tolist()[1:3] == [7.0, 14.0]
    assert shims.rolling_var(series, 2, ddof=0).tolist()[1:] == [2.25, 1.0, 9.0]
    assert shims.ewma(series, span=3).tolist() == pytest.approx([1.0, 3.0, 17 / 7, 81 / 15])
    assert shims.ewma(series, com=1, adjust=False).tolist() == [1.0, 2.5, 2.25, 5.125]


def test_text_columns_have_object_dtype():
    shims.make_text_objects()
    try:
        assert pd.DataFrame({"a": ["x"]})["a"].dtype == object
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that pandas 4 will drop the option
            pd.reset_option("future.infer_string")
