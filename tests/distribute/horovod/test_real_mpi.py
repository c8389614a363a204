"""All-reduce training tests and programs on a real MPI, in processes started by its mpiexec."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.tasks import environment
from tests.distribute.horovod.test_recorded import RECORDS, agree
from tests.distribute.horovod.write_golden import PROGRAMS

FOLDER = Path(__file__).parent
MPIEXEC = shutil.which(
    "mpiexec", path=f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"
)
IS_THERE = MPIEXEC is not None and importlib.util.find_spec("mpi4py") is not None

pytestmark = [
    pytest.mark.launchers,
    pytest.mark.skipif(not IS_THERE, reason="no MPI here: mpi4py and mpiexec"),
]


def mpiexec(ranks, *command, **variables):
    """The output of a Python command in several ranks."""
    done = subprocess.run(
        [MPIEXEC, "-n", str(ranks), sys.executable, "-W", "ignore", *command],
        capture_output=True,
        text=True,
        timeout=280,
        env={**environment(), **variables},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# Pytest, with a separate folder for temporary files: processes that share one delete each other's.
PYTEST = """
import os, sys, tempfile
os.environ["PYTEST_DEBUG_TEMPROOT"] = tempfile.mkdtemp(dir=sys.argv[1])
import pytest
sys.exit(pytest.main(sys.argv[2:]))
"""


def test_fake_mpi_tests_pass_on_real_mpi(tmp_path):
    """Runs the tests of `FakeMpi` in four ranks, except tests that require a fake."""
    files = [str(FOLDER / f"test_{name}.py") for name in ("mpi_reductions", "join", "adasum")]
    chosen = "mpi and not mpi_failure and not missing_mpi4py"
    options = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-k", chosen]
    output = mpiexec(4, "-c", PYTEST, str(tmp_path), *options, *files, TFMINI_TESTS_ON_MPI="1")
    assert output.count(" passed") == 4, output


@pytest.mark.parametrize("program", sorted(RECORDS))
def test_programs(program):
    output = mpiexec(2, "-m", "tfmini", "run", str(PROGRAMS / f"{program}.py"))
    decoder = json.JSONDecoder()  # two lines may be merged
    actual = [decoder.raw_decode(text)[0] for text in output.split("seen ")[1:]]
    expected = RECORDS[program]
    if program == "operations":
        by_mpi = [True, False, *expected[0]["built"][2:]]  # not by Gloo
        expected = [{**record, "built": by_mpi} for record in expected]
    try:
        agree(expected, actual)
    except AssertionError:
        agree(expected, actual[::-1])  # the ranks print in any order
