"""Function sources, read from the current file contents."""

import importlib
import os
import sys

import pytest

import tfmini as tf
from tfmini._src.autograph.errors import ConversionError

FIRST = """
from __future__ import annotations

def branch(x):
    def tenfold(x: Number):
        return x * 10

    return tenfold(x) if x > 1 else x

lonely = lambda x: x + 1 if x > 1 else x
"""
SECOND = FIRST.replace("x * 10", "x * 100 + 0").replace("x + 1", "x + 1000")


@pytest.fixture
def imported(tmp_path, monkeypatch):
    """A function that imports FIRST from a file with this name."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(tmp_path))

    def of_file(name):
        (tmp_path / f"{name}.py").write_text(FIRST)
        importlib.invalidate_caches()
        created.append(name)
        return importlib.import_module(name)

    created = []
    yield of_file
    for name in created:
        del sys.modules[name]


@pytest.fixture
def module(imported):
    return imported("changing_program")


def values(module):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.int32, [])
        created = [tf.autograph.to_graph(f)(x) for f in (module.branch, module.lonely)]
        return session.run(created, {x: 2})


def test_changed_file_is_reread(module):
    assert values(module) == [20, 3]
    before = os.stat(module.__file__)
    with open(module.__file__, "w") as file:
        file.write(SECOND)
    os.utime(module.__file__, (before.st_atime, before.st_mtime + 5))
    assert values(importlib.reload(module)) == [200, 1002]


def check_missing_file(module):
    os.remove(module.__file__)
    text = r"^converting <function (branch|<lambda>) .*: ValueError: Unable .* could not get source code$"
    for function in (module.branch, module.lonely):
        with pytest.raises(ConversionError, match=text):
            tf.autograph.to_graph(function)


def test_deleted_file_is_reported(module):
    check_missing_file(module)


def test_deleted_file_with_equal_copy_is_reported(module, imported):
    assert values(module) == [20, 3]
    check_missing_file(imported("equal_program"))


def test_errors_name_own_file_despite_equal_copy(module, imported):
    for each in (module, imported("equal_program")):
        for function in (each.branch, each.lonely):
            assert tf.autograph.to_graph(function).__code__.co_filename == each.__file__
