"""Wrong programs end in TensorFlow 1.15.5's error: class, text, moment, node and user's line.

The programs are the functions of tests/bad_input; tests/golden/bad_input says what TensorFlow
raised. A hint of ours may follow TensorFlow's text on a line of its own.
"""

import importlib
import re

import pytest

import tfmini as tf
from tests import bad_input, recording


def every_case():
    for module_name in recording.names_in("bad_input"):
        module = importlib.import_module("tests.bad_input." + module_name)
        for name, case in bad_input.cases(module):
            yield pytest.param(module_name, name, case, id=f"{module_name}-{name}")


@pytest.mark.parametrize(("module_name", "name", "case"), every_case())
def test_same_error(module_name, name, case):
    want = bad_input.golden(module_name)[name]
    got = bad_input.outcome(tf, case)
    text, *hint = got["text"].split("\n", want["text"].count("\n") + 1)[-1:] and [got["text"]]
    assert got["class"] == want["class"]
    assert without_hint(got["text"], want["text"]) == want["text"]
    assert got["stage"] == want["stage"]
    assert got.get("node") == want.get("node")
    assert got.get("line") == want.get("line")
    assert got.get("usable") or not want.get("usable")


def without_hint(text, wanted):
    """The text less one line of our own after TensorFlow's."""
    head, _, hint = text.rpartition("\n")
    return head if head == wanted and hint else text
