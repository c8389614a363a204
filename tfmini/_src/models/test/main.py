"""Test entry points: `tf.test.main`, a temporary folder, comparison of graphs."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from typing import Any

from absl import app
from absl.testing import absltest

from tfmini._src.base import proto
from tfmini._src.base.flags.parse_known_flags import known_flags
from tfmini._src.models.test.benchmark import benchmarks_main

_made: list[str] = []


def main(argv: list[str] | None = None) -> None:
    """Runs the tests of the main module, and exits.

    `--benchmarks=PATTERN` among the arguments runs its benchmarks instead.

    Args:
      argv: the program's name, its flags and unittest's options, by default `sys.argv`.

    Raises:
      SystemExit: always, at the end; its status is not 0 if a test failed.
    """
    benchmarks_main(lambda: _run_tests(sys.argv if argv is None else argv))


def _run_tests(argv: list[str]) -> None:
    app.run(main=lambda rest: absltest.main(argv=rest), argv=argv, flags_parser=known_flags)


def get_temp_dir() -> str:
    """A folder for files of this process's tests, which is removed when the process ends.

    It is below TEST_TMPDIR, if the environment has that.
    """
    if not _made:
        parent = os.environ.get("TEST_TMPDIR")
        name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
        _made.append(tempfile.mkdtemp(prefix=name, dir=parent))
        atexit.register(shutil.rmtree, _made[0], ignore_errors=True)
    return _made[0]


def test_src_dir_path(relative_path: str) -> str:
    """The path of a file in TensorFlow's source tree, below the environment's TEST_SRCDIR."""
    return os.path.join(os.environ["TEST_SRCDIR"], "org_tensorflow/tensorflow", relative_path)


test_src_dir_path.__test__ = False  # type: ignore[attr-defined]  # pytest, it is no test


def assert_equal_graph_def(
    actual: Any,
    expected: Any,
    checkpoint_v2: bool = False,
    hash_table_shared_name: bool = False,
) -> None:
    """Raises AssertionError unless two GraphDefs hold the same nodes.

    The order of nodes and of control inputs, and versions, do not count.

    Args:
      actual: a GraphDef.
      expected: a GraphDef.
      checkpoint_v2: whether names of temporary checkpoint files may differ.
      hash_table_shared_name: whether the shared names of hash tables may differ.

    Raises:
      TypeError: if either is no GraphDef.
    """
    for name, graph_def in (("actual", actual), ("expected", expected)):
        if not isinstance(graph_def, proto.GraphDef):
            raise TypeError(f"Expected tf.GraphDef for {name}, got {type(graph_def).__name__}")
    options = (checkpoint_v2, hash_table_shared_name)
    found = {node.name: _description(node, *options) for node in actual.node}
    wanted = {node.name: _description(node, *options) for node in expected.node}
    for name in sorted(found.keys() | wanted.keys(), reverse=True):
        if name not in wanted:
            raise AssertionError(f"Found unexpected node '{{{{node {name}}}}}': {found[name]}")
        if name not in found:
            raise AssertionError(
                f"Did not find expected node '{{{{node {name}}}}}': {wanted[name]}"
            )
        if found[name] != wanted[name]:
            raise AssertionError(f"Node named '{name}': {found[name]} is not {wanted[name]}")


def _description(node: Any, checkpoint_v2: bool, hash_table_shared_name: bool) -> dict[str, Any]:
    """The fields of a node that must be equal."""
    attrs = {key: value.SerializeToString(deterministic=True) for key, value in node.attr.items()}
    if checkpoint_v2:
        attrs = {key: text for key, text in attrs.items() if b"_temp_" not in text}
    if hash_table_shared_name and node.op == "HashTableV2":
        attrs.pop("shared_name", None)
    return {
        "op": node.op,
        "device": node.device,
        "inputs": [name.removesuffix(":0") for name in node.input if not name.startswith("^")],
        "control inputs": sorted(name for name in node.input if name.startswith("^")),
        "attrs": attrs,
    }
