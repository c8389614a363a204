"""ci/mutants options: arguments of public functions for which no call in the tests passes a non-default value."""

import ast

import pytest

import tfmini as tf
from ci.commands.mutation import options


@pytest.mark.parametrize(
    "call, left",
    [
        ("tf.scale(1)", {"factor", "axis", "kind"}),
        ("scale(1, 3.0, kind='sum')", {"axis", "kind"}),
        ("tf.scale(1, 2, axis=0)", {"kind"}),
        ("tf.scale(1, *rest, axis=given)", {"factor", "kind"}),
        ("functools.partial(tf.scale, 1, 2.5)(kind='mean')", {"axis", "kind"}),
        ("other(1, 3.0)", {"factor", "axis", "kind"}),
    ],
)
def test_call_leaves_options_open(call, left):
    public = options.Public(
        "tf.scale", ["x", "factor", "axis"], {"factor": 2.0, "axis": None, "kind": "sum"}
    )
    for name, by_place, by_name in options.calls(ast.parse(call)):
        if name == "scale":
            public.give(by_place, by_name)
    assert set(public.open) == left and public.is_called == ("scale" in call)


def test_record_calls_include_object_calls():
    record = {
        "f": ".apply",
        "a": [1],
        "o": {"call": {"f": "tf.layers.Dense", "k": {"units": 3}}},
    }
    assert list(options.calls_in(record)) == [("apply", [1], {}), ("Dense", [], {"units": 3})]


@pytest.mark.parametrize(
    "call", ["f(-1, (2, 3), tf.float32)", "f(axis=-1, size=(2, 3), dtype=tf.float32)"]
)
def test_explicit_default_counts_as_default(call):
    defaults = {"axis": -1, "size": (2, 3), "dtype": tf.float32}
    public = options.Public("tf.f", list(defaults), dict(defaults))
    ((_, by_place, by_name),) = options.calls(ast.parse(call))
    public.give(by_place, by_name)
    assert public.open == defaults
    ((_, by_place, by_name),) = options.calls(ast.parse("f(axis=-2, size=(2, n), dtype=tf.int32)"))
    public.give(by_place, by_name)
    assert not public.open


def test_report_is_sorted_by_count():
    rows = [
        options.Public("tf.a.f", ["x"], {"y": 1}),
        options.Public("tf.b.g", [], {"z": 1, "a": 2}),
    ]
    assert options.report(rows) == "tf.b: 2\n  g: a, z\ntf.a: 1\n  f: y\n3 in all"


MAX = 640


@pytest.mark.full
def test_options_with_default_only_are_bounded():
    """A new option needs a call that sets it: in a short program, or in a test of its own."""
    number = sum(len(public.open) for public in options.still_open())
    assert number <= MAX, f"ci/mutants options lists them: {number}, of which {MAX} are known"
