"""Permitted reasons for skipping a test, and why such a skip loses nothing. A test that is skipped for any other
reason, or marked `xfail`, fails: defects are fixed, and missing features are tested to be rejected.

Packages of the `test` extra are not among them: tests run in environments installed by `pip install -e '.[test]'`.
"""

import importlib.util
import os
import re
import shutil
import sys

_KERNELS = r"the CPU's kernels are not built here"
# setup.py compiles them on Linux if a compiler is installed.
_MAY_LACK_KERNELS = (
    not sys.platform.startswith("linux")
    or os.environ.get("TFMINI_NATIVE") == "0"
    or shutil.which("g++") is None
)

_IS_NEW_PYTHON = sys.version_info >= (3, 15)
# Texts of failures if these packages are missing.
_WITHOUT_WHEELS = {"h5py": "requires h5py|No module named 'h5py'", "re2": "No module named 're2'"}

REASONS = {
    # Installed in other runs.
    r"no TensorFlow 1\.15\.5 here|no TensorFlow 2 here|no tf2onnx here|no client of T": "ci/reference brings it",
    r"no safetensors here": "the extra test has it, and NumPy's files take the same way",
    r"no GPU here": "ci/gpu runs them",
    r"no MPI here|no Ray here": ".ci/run brings them where it can",
    r"no cuDNN here|version 8 has other numbers": "half a gigabyte, in an extra of its own",
    r"no fissix here": "the extra test brings it",
    r"no pyright": "it needs Node.js; mypy and jedi ask the same",
    r"a folder that holds keras": "TFMINI_OLD_KERAS names one; files that it wrote are read in any case",
    r"no git repository": "an unpacked archive of the sources has the same files",
    # Missing on this machine, and optional for the code too.
    r"needs g\+\+|no g\+\+ here|no gcc": "there are machines without one, and tfmini runs there",
    **({_KERNELS: "numpy computes there"} if _MAY_LACK_KERNELS else {}),
    r"numpy computes with another library here": "there the native library leaves products to it",
    r"this processor ": "a processor's property",
    r"lets users have no network namespaces": "a setting of the machine",
    r"makes certificates by openssl": "a program that is not everywhere",
    r"IPython is installed": "the stand-in for it is tested where it is not",
    # Missing in a system or a Python.
    r"this system |of Linux only|limits of Linux|not glibc|the lengths of ELF files|there is no fork": "other systems",
    r"processes are not forked here|CPython's collector|this Python ": "other Pythons",
    **(
        {r"could not import '(?:h5py|re2|simplejpeg)'": "no wheels for it"}
        if _IS_NEW_PYTHON
        else {}
    ),
}
_EXPECTED = re.compile("Skipped: (?:" + "|".join(REASONS) + ")")

# Reasons of `skipif` marks, which imply the mark `tools`: ci/check, with the extra `dev`, runs these tests.
OF_TOOLS = re.compile("needs CuPy|needs NVRTC|the extra onednn is not installed")


def is_expected(reason, marks):
    """Whether a test with these marks may be skipped for this reason; the reason begins with "Skipped: "."""
    return bool(_EXPECTED.match(reason) or ("tools" in marks and OF_TOOLS.search(reason)))


def reason_of_failure(text):
    """Why a failure with this text counts as a skip (a package has no wheel for this Python), or None."""
    for module, pattern in _WITHOUT_WHEELS.items():
        if _IS_NEW_PYTHON and re.search(pattern, text) and importlib.util.find_spec(module) is None:
            return f"could not import '{module}'"
    return None


def judge(report):
    """The report of a test or file, converted to a failure if it was skipped for an unexpected reason or marked
    `xfail`, and to a skip if it failed because a package has no wheels.
    """
    if report.failed and (reason := reason_of_failure(str(report.longrepr))):
        report.outcome = "skipped"
        report.longrepr = (str(report.fspath), None, f"Skipped: {reason}")
    if hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"marked xfail, which no test may be: {report.wasxfail}"
        del report.wasxfail  # without it pytest would not count the skip
    elif report.skipped:
        reason = str(report.longrepr[2])
        if not is_expected(reason, getattr(report, "keywords", ())):
            report.outcome = "failed"
            report.longrepr = (
                f"skipped, and tests/support/expected_skips.py has no such reason: {reason}"
            )
    return report
