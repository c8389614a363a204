"""Wrong programs end in TensorFlow 1.15.5's error: class, text, moment, node and user's line.

The programs are the functions of tests/conformance/bad_input; tests/golden/bad_input says what TensorFlow
raised. A hint of ours may follow TensorFlow's text on a line of its own.
"""

import importlib

import pytest

import tfmini as tf
from tests.conformance import bad_input
from tests.support import cases
from tests.support.programs import recording

pytestmark = pytest.mark.quick  # errors have Python's words in them, which change with its version


MODULES = recording.names_in("conformance/bad_input")


def functions(module_name):
    """The wrong programs of a file by name, "FILE-FUNCTION"."""
    module = importlib.import_module("tests.conformance.bad_input." + module_name)
    return {f"{module_name}-{name}": case for name, case in bad_input.cases(module)}


@pytest.mark.parametrize(
    "group", cases.groups({name: list(functions(name)) for name in MODULES}), ids=str
)
def test_same_error(group, check_each):
    module = importlib.import_module(
        "tests.conformance.bad_input." + group.cases[0].partition("-")[0]
    )
    if hasattr(module, "NEEDS"):
        pytest.importorskip(module.NEEDS)
    wrong_programs = functions(module.__name__.rpartition(".")[2])
    golden = bad_input.golden(module.__name__.rpartition(".")[2])

    def check(name):
        same_error(module, wrong_programs[name], golden[name.partition("-")[2]])

    check_each(group, check)


def same_error(module, case, want):
    got, error = bad_input.outcome(tf, case)
    assert got["class"] == want["class"], str(error)
    assert without_hint(got["text"], want["text"]) == want["text"]
    assert got["stage"] == want["stage"]
    assert got.get("usable") or not want.get("usable")
    if "node" in want:
        assert (got.get("node"), got.get("line")) == (want["node"], want["line"])
        line = case.__code__.co_firstlineno + want["line"]
        place = f"[[node {want['node']} (defined at {module.__file__}:{line}) ]]"
        assert place in str(error)


def without_hint(text, wanted):
    """The text less one line of our own after TensorFlow's."""
    head, _, hint = text.rpartition("\n")
    return head if head == wanted and hint else text
