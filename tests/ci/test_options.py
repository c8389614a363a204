"""ci/options: which arguments of public functions have had their default only."""

import json
import sys

import pytest

from ci.mutation import options


def scale(x, factor=2.0, axis=None, kind="sum"):
    return x


@pytest.mark.parametrize(
    "call, left",
    [
        (lambda: scale(1), {"factor", "axis", "kind"}),
        (lambda: scale(1, 3.0, kind="".join(["s", "um"])), {"axis", "kind"}),
        (lambda: scale(1, 2, axis=0), {"kind"}),
    ],
)
def test_what_a_call_leaves_open(call, left, tmp_path, monkeypatch):
    public = options.Public("tf.scale", {"factor": 2.0, "axis": None, "kind": "sum"})
    monkeypatch.setattr(options, "public_functions", lambda: {scale.__code__: public})
    watcher = options.Watcher(tmp_path)
    sys.setprofile(watcher._look)
    try:
        call()
    finally:
        sys.setprofile(None)
    assert public.is_called and set(public.open) == left


def test_arguments_stay_open_where_they_are_in_all_processes(tmp_path):
    rows = [
        {"tf.a.f": [True, ["x", "y"]], "tf.b.g": [True, ["z"]], "tf.b.h": [False, ["z"]]},
        {"tf.a.f": [False, ["y"]], "tf.b.g": [True, []], "tf.b.h": [False, ["z"]]},
    ]
    for number, row in enumerate(rows):
        (tmp_path / f"gw{number}.json").write_text(json.dumps(row))
    assert options.report(tmp_path) == "tf.a: 1\n  f: y"
