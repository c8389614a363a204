"""Every op whose sample rows access files declares it, so that a server can forbid it."""

import os
import subprocess
import sys

import pytest

from tests.cluster.tasks import ROOT

UNDECLARED = """
from tests.cluster import files_opened
from tfmini._src.graph.opdef import registry
from tfmini._src.ops import op_modules
op_modules.import_all()
object.__setattr__(registry["MatchingFiles"], "uses_files", False)
rows = [s for s in files_opened.SAMPLES if s.op in ("MatchingFiles", "ReadFile", "Add")]
files_opened.SAMPLES = rows
files_opened.main()
"""


def printed(*arguments, folder):
    command = [sys.executable, "-W", "ignore", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment, timeout=600
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


@pytest.mark.full
def test_file_ops_declare_file_access(tmp_path):
    (line,) = printed("-m", "tests.cluster.files_opened", folder=tmp_path)
    reaching, _, rest = line.partition(" of ")
    assert int(reaching) > 40 and rest.endswith(" rows reach files")


def test_undeclared_file_op_is_detected(tmp_path):
    *reported, last = printed("-c", UNDECLARED, folder=tmp_path)
    assert {line.split(" ")[0].partition("-")[0] for line in reported} == {"MatchingFiles"}
    assert last.endswith(" rows reach files")
