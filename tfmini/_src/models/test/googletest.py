"""absl's test runner under the names in TensorFlow's `googletest` module."""

from __future__ import annotations

from absl.testing.absltest import (
    SkipTest,
    TempFileCleanup,
    TestCase,
    TestLoader,
    expectedFailure,
    expectedFailureIf,
    get_default_test_srcdir,
    get_default_test_tmpdir,
    main,
    run_tests,
    skip,
    skipIf,
    skipThisClass,
    skipUnless,
)

__all__ = [
    "SkipTest",
    "StatefulSessionAvailable",
    "TempFileCleanup",
    "TestCase",
    "TestLoader",
    "expectedFailure",
    "expectedFailureIf",
    "g_main",
    "get_default_test_srcdir",
    "get_default_test_tmpdir",
    "main",
    "run_tests",
    "skip",
    "skipIf",
    "skipThisClass",
    "skipUnless",
]


def g_main(argv: list[str]) -> None:
    """Runs the program's tests with absl."""
    main(argv=argv)


def StatefulSessionAvailable() -> bool:
    """Always False."""
    return False
