"""The modules of a program: those of its folder and, if that is below the working folder, of the latter."""

import os

import pytest

from tests.programs.cli.test_run import run
from tfmini._src.programs.hook.child_processes import is_installed
from tfmini._src.programs.runner import module_finder

OLD = "import numpy as np\nx = len(np.array([[1], [1, 2]]))\n"  # today's numpy refuses such a list


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "tests" / "run.py").write_text(
        "import sys\nsys.path.insert(0, '.')\nimport old; print(old.x)\n"
    )
    return tmp_path


def test_a_script_below_the_working_folder(repository):
    done = run("tests/run.py", cwd=repository)
    assert done.stdout == "2\n", done.stderr
    done = run("-c", "import old; print(old.x)", cwd=repository)
    assert done.stdout == "2\n", done.stderr


def test_a_script_elsewhere_leaves_the_working_folder_alone(repository):
    (repository / "other").mkdir()
    done = run(
        "../tests/run.py", cwd=repository / "other", environment={"PYTHONPATH": str(repository)}
    )
    assert done.returncode == 1 and "inhomogeneous" in done.stderr


def test_what_is_installed_is_no_programs(tmp_path):
    library = os.path.realpath(os.__file__)
    assert is_installed(library) and is_installed(os.path.realpath(module_finder.__file__))
    assert is_installed(str(tmp_path / "venv" / "lib" / "site-packages" / "x.py"))
    assert is_installed("/usr/lib/python3/dist-packages/x.py")
    assert not is_installed(str(tmp_path / "x.py"))
    assert module_finder._Beside(["/"]).find_spec("colorsys") is None
