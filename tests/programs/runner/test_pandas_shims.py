"""Programs with the pandas API of 2018."""

import importlib.util

import pytest

from tests.programs.cli.test_run import run
from tfmini._src.programs.runner import call_shims, pandas_shims

pytestmark = pytest.mark.skipif(importlib.util.find_spec("pandas") is None, reason="needs pandas")

SOURCE = """\
import io
import numpy as np
import pandas as pd
df = pd.DataFrame({"a": [1, 2, 3], "b": [4.0, 5.0, np.nan]}, index=["x", "y", "z"])
def read(text, *args, **words):
    return pd.read_csv(io.StringIO(text), *args, **words)
print(df.drop("a", 1).shape, pd.concat([df, df], 1).shape, df.dropna(0, "any").shape, df.any(1).tolist())
print(df.sort_values("a", 0, False).a.tolist(), df.set_index("a", False).shape, df.pivot("a", "b", "b").shape)
print(df.fillna(method="ffill").b.tolist(), df.fillna(value=None, method="bfill").b.isnull().sum())
print(read("a;b\\n1;2\\n", ";").b[0], read("a,b\\n1,2\\n1,2,3\\n", error_bad_lines=False).shape,
      read("a  b\\n1   2\\n", delim_whitespace=True).b.tolist(), type(read("a\\n1\\n", squeeze=True)).__name__)
print(df.ix["x", "a"], df.ix[0, "b"], df.ix[0:2, 0].tolist(), df.ix[[0, 2]].a.tolist(), df.a.ix[1], df.ix["y"].a)
df.ix[0, "a"] = 9
print(df.append(df).shape, df.append({"a": 5, "b": 6.0}, ignore_index=True).a.tolist(), df.a.append(df.a).shape)
print(pd.DataFrame(columns=["q", "r"]).append({"r": 1, "q": 2}, ignore_index=True).values.tolist())
print(df.as_matrix(columns=["a"]).tolist(), df.get_value("y", "a"), df.set_value("y", "a", 7).a.tolist())
print([name for name, _ in df.iteritems()], df.lookup(["x", "y"], ["a", "b"]).tolist(), df.b.mad())
df["a"][0] = 11
df["a"][df["a"] == 7] = 12
df.b[2] = np.nan
df["b"].fillna(0, inplace=True)
df.a.replace(12, 13, inplace=True)
print(df.values.tolist(), df["a"][1], df.iloc[0][1], [float(row[0]) for _, row in df.iterrows()])
print(pd.rolling_mean(df.a, 2).tolist()[1:], pd.np is np, pd.datetime.__name__, df.applymap(int).b.tolist())
out = io.StringIO()
df.to_csv(out, ";", line_terminator="|")
print(out.getvalue(), df.sort("a").a.tolist())
print(read("m\\n7\\n", parse_dates=["m"], date_parser=lambda x: pd.Timestamp(2017, 1, int(x))).m[0].day,
      pd.Index(["2017-01-02 05:00"], name="t").astype("M8[D]").strftime("%d %H").tolist())
print(read("a,b\\nx,1\\n").dtypes.tolist(), pd.Series(["a"]).dtype == object, df.a.astype(str).dtype)
for wrong in (lambda: df.drop("q", 1), lambda: df.fillna(0, metho=2), lambda: df.append(), lambda: pd.Panel):
    try: wrong()
    except (AttributeError, KeyError, TypeError) as error: print(type(error).__name__)
"""

SHOWN = """\
(3, 1) (3, 4) (2, 2) [True, True, True]
[3, 2, 1] (3, 2) (3, 3)
[4.0, 5.0, 5.0] 1
2 (1, 2) [2] Series
1 4.0 [1, 2] [1, 3] 2 2.0
(6, 2) [9, 2, 3, 5] (6,)
[[2, 1]]
[[9], [2], [3]] 2 [9, 7, 3]
['a', 'b'] [9.0, 5.0] 0.5
[[11.0, 4.0], [13.0, 5.0], [3.0, 0.0]] 13 4.0 [11.0, 13.0, 3.0]
[12.0, 8.0] True datetime [4, 5, 0]
;a;b|x;11;4.0|y;13;5.0|z;3;0.0| [3, 11, 13]
7 ['02 00']
[dtype('O'), dtype('int64')] True object
KeyError
TypeError
TypeError
AttributeError
"""


def test_old_pandas_calls_work_in_program(tmp_path):
    (tmp_path / "old.py").write_text(SOURCE)
    process = run("old.py", cwd=tmp_path)
    assert process.stdout == SHOWN, process.stderr
    text = "pandas' concat requires keyword arguments (axis=); they are passed by keyword here."
    assert text in process.stderr
    assert "DataFrame.ix was removed" in process.stderr


def test_other_types_are_left_alone():
    values = {"k": [1, 2]}
    pandas_shims.store(3, values, "k", 0)
    assert values == {"k": [3, 2]} and pandas_shims.item([5], 0) == 5
    pandas_shims.in_place({"k": [2, 1]}, "k", "sort")
    assert pandas_shims.call(sorted, ([2, 1],), {}) == [1, 2]


def test_out_of_range_integers_wrap_in_columns():
    source = "import numpy, pandas\nframe = pandas.DataFrame({'a': [1, 2]})\nframe['a'][0] = -300\nframe.a[1] = 400\n"
    names = {}
    exec(call_shims.compile_source(source, "program.py"), names)
    assert names["frame"]["a"].tolist() == [-300, 400]


def of_pandas(name, function):
    function.__module__, function.__name__ = "pandas.core", name
    return function


def test_removed_keyword_arguments(messages):
    def read(
        path,
        *,
        sheet_name=0,
        usecols=None,
        skipfooter=0,
        lineterminator=None,
        sep=",",
        on_bad_lines="error",
    ):
        return path, sheet_name, usecols, skipfooter, lineterminator, sep, on_bad_lines

    read = of_pandas("read_excel", read)

    def called(*args, **words):
        return pandas_shims.call(read, args, words)[1:]

    plain = (0, None, 0, None, ",", "error")
    assert called("p") == plain and called("p", sheet_name=2) == (2, *plain[1:])
    assert called("p", sheetname=1, parse_cols=[2], skip_footer=3, line_terminator="|") == (
        *(1, [2], 3, "|", ",", "error"),
    )
    assert called("p", error_bad_lines=True)[-1] == "error"
    assert called("p", error_bad_lines=False)[-1] == "skip"
    assert called("p", error_bad_lines=False, on_bad_lines="warn")[-1] == "warn"
    assert called("p", delim_whitespace=True)[-2] == r"\s+"
    assert called("p", delim_whitespace=False)[-2] == ","
    gone = ("infer_datetime_format", "mangle_dupe_cols", "tupleize_cols", "warn_bad_lines")
    assert called("p", **dict.fromkeys(gone, True)) == plain
    with pytest.raises(TypeError, match="unexpected keyword argument 'nothing'"):
        called("p", nothing=1)
    assert messages[0] == "pandas' read_excel(sheetname=...) was removed; it is supported here."
    assert [text.split("(")[1].split("=")[0] for text in messages] == [
        *("sheetname", "parse_cols", "skip_footer", "line_terminator", "error_bad_lines"),
        *("delim_whitespace", *gone),
    ]


def test_positional_arguments(messages):
    def drop(labels=None, *, axis=0, index=None):
        return labels, axis, index

    def pivot(*, columns, index=None, values=None):
        return index, columns, values

    def other(labels, *, axis=0):
        return labels, axis

    called = pandas_shims.call
    drop = of_pandas("drop", drop)
    assert called(drop, ("a", 1), {}) == ("a", 1, None)
    assert called(drop, ("a", 1), {"index": 5}) == ("a", 1, 5)
    assert called(drop, ("a",), {"axis": 1}) == ("a", 1, None)
    with pytest.raises(TypeError, match="positional argument"):
        called(drop, ("a", 1, 2, 3), {})
    assert called(of_pandas("pivot", pivot), ("i", "c", "v"), {}) == ("i", "c", "v")
    assert called(of_pandas("pivot", pivot), ("i", "c"), {"values": 3}) == ("i", "c", 3)
    with pytest.raises(TypeError, match="positional argument"):
        called(of_pandas("other", other), ("a", 1), {})
    other.__module__ = "program"
    with pytest.raises(TypeError, match="positional argument"):
        called(other, ("a", 1), {})
    assert messages == [
        "pandas' drop requires keyword arguments (axis=); they are passed by keyword here.",
        "pandas' pivot requires keyword arguments (index=, columns=, values=); they are passed by keyword here.",
    ]


@pytest.mark.filterwarnings("ignore::FutureWarning")  # in versions that still have it
@pytest.mark.parametrize("method", ["ffill", "pad", "bfill", "backfill"])
def test_fillna_methods(method):
    expected = [1.0, 3.0 if method.startswith("b") else 1.0, 3.0]
    import pandas  # noqa: PLC0415  which is optional

    row = pandas.Series([1.0, None, 3.0])
    for args, words in (
        ((), {"method": method}),
        ((None, method), {}),
        ((), {"value": None, "method": method}),
    ):
        assert pandas_shims.call(row.fillna, args, dict(words)).tolist() == expected
    assert pandas_shims.call(row.fillna, (7.0,), {}).tolist() == [1.0, 7.0, 3.0]
    assert pandas_shims.call(row.fillna, (7.0, None), {}).tolist() == [1.0, 7.0, 3.0]


def test_positional_series_items(messages):
    import pandas  # noqa: PLC0415  which is optional

    item = pandas_shims.item
    by_text, by_number = pandas.Series([5, 6], ["a", "b"]), pandas.Series([5, 6], [1, 0])
    assert item(by_text, -1) == 6 and item(by_number, 1) == 5
    with pytest.raises(KeyError, match="-1"):
        item(by_number, -1)
    mixed = pandas.Series([5, 6], ["a", 0])
    assert item(mixed, 0) == 6 and item(mixed, 1) == 6
    frame = pandas.DataFrame({"a": [1, 2], 3: [4, 5]}, index=["x", "y"])
    assert item(frame, 3).tolist() == [4, 5]
    pandas_shims.store(9, frame, "a", 1)
    pandas_shims.store(8, frame, ("a",), "x")
    assert frame["a"].tolist() == [8, 9]
    pandas_shims.in_place(frame, "a", "replace", 9, 1, inplace=True)
    assert frame["a"].tolist()[1] == 1
    pandas_shims.in_place(frame, "a", "replace", 1, 2, inplace=False)
    assert frame["a"].tolist()[1] == 1
    assert messages[:2] == [
        "pandas no longer treats a number as a position in a series; it is treated as one here.",
        "A column of a pandas frame is a copy since pandas 3; changing it changes the frame here, as before.",
    ]
