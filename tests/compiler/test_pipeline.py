"""pipeline: the order of the passes; a pass that breaks the program is named."""

import pathlib
import re

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import lowered
from tfmini._src import compiler
from tfmini._src.compiler import passes, pipeline
from tfmini._src.compiler.pipeline import PASSES, Pass
from tfmini._src.compiler.program import debug
from tfmini._src.compiler.program.program import InvalidProgramError
from tfmini._src.compiler.program.validate import validate

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NAMES = ["prune", *(each.name for each in PASSES)]


def listed(text):
    """The names of passes in a text, in order."""
    return [word for word in re.findall(r"\w+", text) if word in NAMES]


def test_docstring_lists_passes():
    assert listed(compiler.__doc__.split("\n\n")[1]) == NAMES


def test_each_pass_module_is_registered():
    (directory,) = passes.__path__
    written = {
        path.stem
        for path in pathlib.Path(directory).glob("*.py")
        if f"\ndef {path.stem}(" in path.read_text()
    }
    assert written == set(NAMES) - {"place", "lower_bodies"}


def test_changing_stages_are_printed(monkeypatch, capsys):
    x = tf.placeholder(tf.float32, [], name="x")
    monkeypatch.setattr(debug, "FLAGS", {"stages"})
    lowered(tf.exp(tf.identity(x)), feeds=[x])
    printed = capsys.readouterr().err
    assert re.findall(r"^(\w+)\nfeeds t0$", printed, re.MULTILINE) == ["prune", "simplify"]


def swaps(program):
    """A defective pass."""
    program.nodes.reverse()
    return program


def with_defect(monkeypatch, after):
    """The pipeline with `swaps` after the pass of that name."""
    number = [each.name for each in PASSES].index(after) + 1
    monkeypatch.setattr(pipeline, "PASSES", (*PASSES[:number], Pass(swaps), *PASSES[number:]))


@pytest.mark.parametrize("after", ["place", "simplify", "fuse_optimizer_updates"])
def test_pass_that_reorders_nodes_is_named(monkeypatch, after):
    x = tf.placeholder(tf.float32, [], name="x")
    with_defect(monkeypatch, after)
    with pytest.raises(
        InvalidProgramError, match="^after swaps: t1 is used before it is defined, by "
    ):
        lowered(tf.exp(tf.sqrt(x)), feeds=[x])


def test_pass_that_breaks_loop_is_named(monkeypatch):
    i = tf.while_loop(lambda i: tf.less(i, 5), lambda i: tf.abs(i * 2), [tf.constant(1)])
    assert tf.Session().run(i) == 8
    with_defect(monkeypatch, "simplify")
    with pytest.raises(InvalidProgramError, match="^after swaps: .*# while/"):
        lowered(i)


def test_validation_is_opt_in(monkeypatch):
    x = tf.placeholder(tf.float32, [], name="x")
    with_defect(monkeypatch, "simplify")
    monkeypatch.setattr(debug, "FLAGS", set())
    broken = lowered(tf.exp(tf.sqrt(x)), feeds=[x])
    with pytest.raises(InvalidProgramError, match="is used before it is defined"):
        validate(broken)


def test_validation_is_enabled_in_tests():
    assert "check" in debug.FLAGS
    assert np.float32(tf.Session().run(tf.constant(1.0))) == 1
