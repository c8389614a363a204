"""Failures of recorded tests show TensorFlow's answer, tfmini's answer, and the command that reruns the test."""

import os
import pathlib
import subprocess
import sys

import pytest

from tests.support import recorded

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_single_line_difference():
    with pytest.raises(AssertionError, match="^kept\nTensorFlow 1.15.5: 3\n           tfmini: 4$"):
        recorded.same(4, 3, "kept")
    recorded.same(4, 3, "near", lambda found, expected: abs(found - expected) < 2)


def test_multi_line_difference_is_a_diff():
    text = recorded.explain("a\nb\nc\nd", "a\nb\nx\nd")
    assert text == "--- TensorFlow 1.15.5\n+++ tfmini\n@@ -2,3 +2,3 @@\n b\n-x\n+c\n d"


# A recorded test of each kind, and the module and function whose results it compares.
KINDS = {
    "scene": (
        "tests/formats/test_scenes.py",
        "tests.conformance.scenes",
        "scenes.lines_of = lambda *_: ['other']",
    ),
    "short program": (
        "tests/graph/test_short_programs.py",
        "tests.conformance.short_programs",
        "short_programs.answer = lambda *_: 'other'",
    ),
    "snippet": (
        "tests/conformance/seeds/test_t10.py",
        "tests.support.snippets",
        "snippets.run_snippet = lambda *_: 'other\\n'",
    ),
    "file": (
        "tests/formats/test_gfile_functions.py::test_calls_match_tensorflow",
        "tests.formats.file_cases",
        "file_cases.run = lambda *_: 'other'",
    ),
    "function table": (
        "tests/functions/test_function_table.py::test_rows_match_tensorflow",
        "tests.functions.function_table",
        "function_table.result = lambda *_: 'other'",
    ),
    "object checkpoint": (
        "tests/train/object_checkpoint/test_object_graph.py",
        "tests.train.object_checkpoint.trackables",
        "trackables.described = lambda *_: ['other']",
    ),
    "placement": (
        "tests/compiler/placement/test_placements.py::test_same_placement",
        "tests.conformance.placements",
        "placements.placed = lambda *_: ({'log': ['other']}, None)",
    ),
    "wrong program": (
        "tests/conformance/test_bad_input.py",
        "tests.conformance.bad_input",
        "bad_input.outcome = lambda *_: ({'class': 'other', 'text': 'other'}, None)",
    ),
    "eager program": (
        "tests/session/eager/test_recorded.py::test_same_values",
        "tests.session.eager.recorded",
        "recorded.plain = lambda *_: 'other'",
    ),
    "recorded call": (
        "tests/conformance/test_recorded_calls.py::test_same_answers",
        "tests.conformance.recorded_calls",
        "recorded_calls.answer = lambda *_, **__: {'values': 'other'}",
    ),
}


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_test_shows_difference(kind, tmp_path):
    """Each kind of recorded test, with a function under test that always differs."""
    tests, module, change = KINDS[kind]
    parent, _, name = module.rpartition(".")
    code = f"import sys\nfrom {parent} import {name}\n{change}\n"
    code += "import pytest\nsys.exit(pytest.main(sys.argv[1:]))\n"
    command = [sys.executable, "-c", code, "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        [*command, tests], cwd=ROOT, capture_output=True, text=True, env={**os.environ}
    )
    assert done.returncode == 1, done.stdout[-2000:] + done.stderr[-2000:]
    assert "TensorFlow" in done.stdout and "tfmini" in done.stdout and "other" in done.stdout
    assert "python -m pytest " in done.stdout
    path = tests.partition("::")[0]
    assert f"{path}::" in done.stdout.partition("python -m pytest ")[2]
