"""Invalid programs raise TensorFlow 1.15.5's error: class, text, stage, node and user's line.

The programs are the functions of tests/conformance/bad_input; tests/golden/bad_input has TensorFlow's
errors. A hint of ours may follow TensorFlow's text on a separate line.
"""

import functools
import importlib

import pytest

import tfmini as tf
from tests.conformance import bad_input
from tests.support import cases, recorded
from tests.support.programs import recording
from tests.support.programs.wording import of_any_python

pytestmark = pytest.mark.quick  # errors contain Python's messages, which depend on its version


# By file; the functions named in the recordings are loaded when they run.
NAMES = {
    file: [f"{file}-{name}" for name in bad_input.golden(file)]
    for file in recording.names_in("conformance/bad_input")
}


@cases.parametrize(cases.groups(NAMES))
def test_same_error(group, check_each):
    check_each(group, check)


@functools.lru_cache(1)  # one file per test, except for slow cases
def of_file(file):
    """A module of invalid programs, its functions by name and the recording of each."""
    module = importlib.import_module("tests.conformance.bad_input." + file)
    functions, golden = dict(bad_input.cases(module)), bad_input.golden(file)
    assert functions.keys() == golden.keys()
    return module, functions, golden


def check(case):
    file, _, name = case.partition("-")
    module, functions, golden = of_file(file)
    if hasattr(module, "NEEDS"):
        pytest.importorskip(module.NEEDS)
    same_error(functions[name], golden[name])


def same_error(case, expected):
    actual, error = bad_input.outcome(tf, case)
    recorded.same(actual["class"], expected["class"], str(error))
    got_text, want_text = of_any_python(actual["text"]), of_any_python(expected["text"])
    recorded.same(without_hint(got_text, want_text), want_text)
    recorded.same(actual["stage"], expected["stage"], "where the error is raised")
    if expected.get("usable"):
        recorded.same(actual.get("usable"), True, "whether the session still works")
    if "node" in expected:
        result = actual.get("node"), actual.get("line")
        recorded.same(result, (expected["node"], expected["line"]), "node and line of the program")
        file, line, _ = bad_input.place_of(error.op)
        assert f"[[node {expected['node']} (defined at {file}:{line}) ]]" in str(error)


def without_hint(text, expected):
    """The text without the hint line after TensorFlow's."""
    head, _, hint = text.rpartition("\n")
    return head if head == expected and hint else text
