"""Test entry points: `tf.test.main`, and temporary directories."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile

from absl import app
from absl.testing import absltest

from tfmini._src.base.flags.parse_known_flags import known_flags
from tfmini._src.models.test.benchmark import benchmarks_main

_temporary_directories: list[str] = []


def main(argv: list[str] | None = None) -> None:
    """Runs the tests of the main module, and exits.

    With `--benchmarks=PATTERN`, runs benchmarks instead.

    Args:
      argv: program name, flags and unittest options, by default `sys.argv`.

    Raises:
      SystemExit: always, with nonzero status if a test failed.
    """
    benchmarks_main(lambda: _run_tests(sys.argv if argv is None else argv))


def _run_tests(argv: list[str]) -> None:
    app.run(
        main=lambda arguments: absltest.main(argv=arguments), argv=argv, flags_parser=known_flags
    )


def get_temp_dir() -> str:
    """Returns a temporary directory for the tests of this process, in TEST_TMPDIR if set; it is removed at exit."""
    if not _temporary_directories:
        parent = os.environ.get("TEST_TMPDIR")
        name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
        _temporary_directories.append(tempfile.mkdtemp(prefix=name, dir=parent))
        atexit.register(shutil.rmtree, _temporary_directories[0], ignore_errors=True)
    return _temporary_directories[0]


def test_src_dir_path(relative_path: str) -> str:
    """Returns the path of a file in TensorFlow's source tree, below TEST_SRCDIR."""
    return os.path.join(os.environ["TEST_SRCDIR"], "org_tensorflow/tensorflow", relative_path)


test_src_dir_path.__test__ = False  # type: ignore[attr-defined]  # tells pytest that this is not a test
