"""Wrong programs end in TensorFlow 1.15.5's error: class, text, moment, node and user's line.

The programs are the functions of tests/bad_input; tests/golden/bad_input says what TensorFlow
raised. A hint of ours may follow TensorFlow's text on a line of its own.
"""

import importlib

import pytest

import tfmini as tf
from tests import bad_input
from tests.support.programs import recording

pytestmark = pytest.mark.quick  # errors have Python's words in them, which change with its version


def every_case():
    for module_name in recording.names_in("bad_input"):
        module = importlib.import_module("tests.bad_input." + module_name)
        for name, case in bad_input.cases(module):
            yield pytest.param(module, name, case, id=f"{module_name}-{name}")


@pytest.mark.parametrize(("module", "name", "case"), list(every_case()))
def test_same_error(module, name, case):
    if hasattr(module, "NEEDS"):
        pytest.importorskip(module.NEEDS)
    want = bad_input.golden(module.__name__.rpartition(".")[2])[name]
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
