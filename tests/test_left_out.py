"""docs/left_out.md says what is missing: all of it, and nothing else."""

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import tfmini as tf
from tests import public_names, test_api, test_every_op
from tfmini.graph.opdef import registry

ROOT = Path(__file__).resolve().parent.parent
ROWS = [
    [re.findall("`([^`]+)`", cell) for cell in line.split("|")[2:4]]
    for line in (ROOT / "docs" / "left_out.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| family"))
]
OPS = [pattern for ops, _ in ROWS for pattern in ops]
NAMES = [pattern for _, names in ROWS for pattern in names]


def is_there(name):
    value = tf
    for part in name.split(".")[1:]:
        if not hasattr(value, part):
            return False
        value = getattr(value, part)
    return name.startswith("tf.")


def used_names():
    """What two or more of 125 public repositories with TensorFlow 1.x programs use."""
    return (ROOT / "tests" / "golden" / "used_names.txt").read_text().split()


def missing_names():
    """The names of all modules but tf.contrib and tf.raw_ops, and what programs use of whatever module."""
    golden = public_names.read()
    golden["tf"] = "module"
    of_modules = {
        name
        for name, text in golden.items()
        if text.startswith(("function", "class", "value"))
        and golden.get(name.rpartition(".")[0]) == "module"
        and not name.startswith(("tf.contrib.", "tf.raw_ops."))
    }
    return sorted(name for name in of_modules.union(used_names()) if not is_there(name))


def missing_ops():
    return sorted(set(test_every_op.definitions()) - set(registry))


@pytest.mark.parametrize(("missing", "patterns"), [(missing_ops, OPS), (missing_names, NAMES)])
def test_all_that_is_missing_is_listed_and_nothing_else(missing, patterns):
    left, idle = missing(), []
    for pattern in patterns:
        named = [name for name in left if fnmatchcase(name, pattern)]
        left = [name for name in left if name not in named]
        if not named:
            idle.append(pattern)
    assert left == [], "missing, but not in docs/left_out.md"
    assert idle == [], "in docs/left_out.md, but nothing is missing there"


def test_what_programs_use_is_not_lost():
    """A pattern of the document would not notice a name that goes; this number only grows."""
    assert sum(is_there(name) for name in used_names()) >= 422


def test_what_programs_use_is_compared_with_tensorflow():
    """All but what is no name of a module: parts of messages, and the version."""
    compared = set(test_api.GOLDEN) & set(test_api.HERE)
    others = {"tf.RunOptions.FULL_TRACE", "tf.Summary.Value", "tf.__version__"}
    assert {name for name in used_names() if is_there(name)} - compared == others
