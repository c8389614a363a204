"""A program's modules: those in its folder and, if that is inside the working folder, in the latter."""

import marshal
import os

import pytest

from tests.programs.cli.test_run import run, start
from tfmini._src.programs.hook.child_processes import is_installed
from tfmini._src.programs.runner import byte_code, module_finder

OLD = "import numpy as np\nx = len(np.array([[1], [1, 2]]))\n"  # today's numpy rejects such a list


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "tests" / "run.py").write_text(
        "import sys\nsys.path.insert(0, '.')\nimport old; print(old.x)\n"
    )
    return tmp_path


def test_script_below_working_directory(repository):
    process = run("tests/run.py", cwd=repository)
    assert process.stdout == "2\n", process.stderr
    process = run("-c", "import old; print(old.x)", cwd=repository)
    assert process.stdout == "2\n", process.stderr


def test_script_elsewhere_leaves_working_directory_alone(repository):
    (repository / "other").mkdir()
    process = run(
        "../tests/run.py", cwd=repository / "other", environment={"PYTHONPATH": str(repository)}
    )
    assert process.returncode == 1 and "inhomogeneous" in process.stderr
    (repository / "other" / "up.py").write_text(
        "import sys\nsys.path.append('..')\nimport old; print(old.x)\n"
    )
    process = run("up.py", cwd=repository / "other")
    assert process.stdout == "2\n", process.stderr


@pytest.fixture
def keeping():
    """An environment in which Python writes bytecode."""
    return {"PYTHONDONTWRITEBYTECODE": ""}


def cached_files(folder):
    return [path for path in (folder / "__pycache__").glob("old.*") if ".opt-tfmini" in path.name]


def test_bytecode_cache_is_separate(tmp_path, keeping):
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "train.py").write_text("import old\nprint(old.x, old.__spec__.cached)\n")
    cache = tmp_path / "__pycache__"
    for _ in range(2):
        process = run("train.py", cwd=tmp_path, environment=keeping)
        assert process.stdout.startswith(f"2 {cache}") and ".opt-tfmini" not in process.stdout
    (file,) = cached_files(tmp_path)
    assert "inhomogeneous" in start(["train.py"], tmp_path, environment=keeping).stderr
    code = marshal.loads(file.read_bytes()[len(byte_code.file_header(b"", "")) :])
    assert code.co_filename == str(tmp_path / "old.py")


def test_cached_bytecode_is_used_until_source_changes(tmp_path, keeping):
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "train.py").write_text("import old\nprint(old.x)\n")
    run("train.py", cwd=tmp_path, environment=keeping)
    (file,) = cached_files(tmp_path)
    key = byte_code.file_header(OLD.encode(), str(tmp_path / "old.py"))
    file.write_bytes(key + marshal.dumps(compile("x = 'kept'", "old.py", "exec")))
    assert run("train.py", cwd=tmp_path, environment=keeping).stdout == "kept\n"
    (tmp_path / "old.py").write_text(OLD + "x += 1\n")
    assert run("train.py", cwd=tmp_path, environment=keeping).stdout == "3\n"


@pytest.mark.parametrize("data", [b"", b"other key", b"the key", b"the key\x00\xff", b"the keyc"])
def test_invalid_bytecode_is_ignored(tmp_path, data):
    (tmp_path / "x.pyc").write_bytes(data)
    assert byte_code.read(str(tmp_path / "x.pyc"), b"the key") is None
    assert byte_code.read(str(tmp_path / "none.pyc"), b"the key") is None


def test_installed_files_are_not_program_files(tmp_path):
    library = os.path.realpath(os.__file__)
    assert is_installed(library) and is_installed(os.path.realpath(module_finder.__file__))
    assert is_installed(str(tmp_path / "venv" / "lib" / "site-packages" / "x.py"))
    assert is_installed("/usr/lib/python3/dist-packages/x.py")
    assert not is_installed(str(tmp_path / "x.py"))
    assert module_finder._ProgramFinder(["/"]).find_spec("colorsys") is None
