"""The list of real programs; how ci/soak programs finds their files and judges their output."""

import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from ci.commands.real_programs import libraries, report, repositories, running
from ci.commands.real_programs.__main__ import PROGRAMS
from ci.commands.real_programs.commits import COMMITS
from ci.commands.real_programs.libraries import Library
from ci.commands.real_programs.rows import Program


def test_program_list_is_complete():
    names = [program.called for program in PROGRAMS]
    assert len(names) == len({*names}) >= 60
    assert {program.repository for program in PROGRAMS} == COMMITS.keys()
    assert all(re.fullmatch("[0-9a-f]{40}", commit) for commit in COMMITS.values())
    assert all(re.compile(program.shows) for program in PROGRAMS)
    assert sum(bool(libraries.read(library.passing)) for library in libraries.LIBRARIES) >= 4


def git(folder, *arguments):
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.parametrize("place", ["owner+name", "owner/name", "owner+name/repo"])
def test_files_are_extracted_from_mirror(tmp_path, place):
    mirror = tmp_path / "mirrors" / place
    (mirror / "deep er").mkdir(parents=True)
    (mirror / "train.py").write_text("print(1)\n")
    (mirror / "deep er" / "data é.bin").write_bytes(bytes(range(256)) * 3)
    (mirror / "link").symlink_to("train.py")
    git(mirror, "init", "-q")
    git(mirror, "add", "-A")
    git(mirror, "commit", "-q", "-m", "m", "--no-gpg-sign")
    result = repositories.mirror(tmp_path / "mirrors", "owner/name")
    assert result == mirror / ".git"
    assert repositories.mirror(tmp_path, "owner/other") is None
    assert repositories.extract(result, git(mirror, "rev-parse", "HEAD"), tmp_path / "into") == []
    assert (tmp_path / "into" / "train.py").read_text() == "print(1)\n"
    assert (tmp_path / "into" / "deep er" / "data é.bin").read_bytes() == bytes(range(256)) * 3
    assert not (tmp_path / "into" / "link").exists()
    with pytest.raises(subprocess.CalledProcessError, match="0{40}.* returned non-zero"):
        repositories.extract(result, "0" * 40, tmp_path / "into")


def test_missing_mirror_skips_program(tmp_path):
    outcome = running.run(Program("owner/name", "a/train.py", "x"), tmp_path)
    assert not outcome.tried and not outcome.ran and "no mirror" in outcome.said
    assert outcome.program.called == "owner/train"


@pytest.mark.parametrize(
    ("output", "status", "reason"),
    [
        ("Traceback:\n  x\nValueError: no\n", 1, "ValueError: no"),
        ("tfmini.errors.OpError: a\nin b\n", 1, "tfmini.errors.OpError: a"),
        ("usage: x\n", 2, "exit status 2: usage: x"),
        ("step 1\n", 0, "its output lacks it: step 1"),
        ("step 1\n", None, "timed out after 9 s"),
        ("", 0, "its output lacks it: nothing printed"),
    ],
)
def test_failure_reason_is_one_line(output, status, reason):
    assert running.reason(output, status, 9) == reason


def test_differences_from_previous_page():
    page = """
| a/03 - Same | [x/03 - Same.py](https://host/a/b/tree/0) | runs | 1 | `3 (of 4)` |
| a/worse | [worse.py](https://host/a/b/tree/0) | runs | 1 | `0` |
"""
    paths = {"x/03 - Same.py": True, "worse.py": False, "new.py": True}
    outcomes = [running.Outcome(Program("a/b", p, "."), ran, 1, "") for p, ran in paths.items()]
    assert report.changes(outcomes, page) == (
        "a/worse: runs -> **fails**\na/new: not on the page -> runs"
    )
    assert report.changes(outcomes[:1], page) == "Each outcome is that of the last page."


def test_only_tests_passing_on_tensorflow_count(tmp_path, monkeypatch):
    source = tmp_path / "lib-1.0"
    (source / "tests").mkdir(parents=True)
    (source / "PKG-INFO").write_text("Name: lib\n")
    (source / "lib.py").write_text("import tensorflow as tf\nVERSION = tf.__version__\n")
    (source / "tests" / "test_lib.py").write_text(
        "import lib, os\n"
        "def test_version(): assert lib.VERSION == '1.15.5' and os.environ['SAID'] == 'so'\n"
        "def test_wrong(): assert lib.VERSION is None, 'at 0x7f'\n"
        "def test_other(): assert 0\n"
    )
    with tarfile.open(tmp_path / "lib-1.0.tar.gz", "w") as sdist:
        sdist.add(source, "lib-1.0")
    library = Library("lib-1.0", ("lib-1.0.tar.gz",), ("tests",), environment={"SAID": "so"})
    monkeypatch.setattr(libraries, "HERE", tmp_path / "ci")
    (tmp_path / "ci").mkdir()
    shutil.copy(Path(running.__file__).with_name("outcomes.py"), tmp_path / "ci")
    assert libraries.run(library, tmp_path / "nowhere", None, None).said.startswith("no lib-1.0")
    first = libraries.run(library, tmp_path, None, None)
    assert libraries.write(library.passing, first) == 1
    assert libraries.read(library.passing) == ["tests/test_lib.py::test_version"]
    expected = [*libraries.read(library.passing), "tests/test_lib.py::test_wrong", "a::b"]
    suite = libraries.Suite(library, first.outcomes, expected, 1.0)
    assert suite.passed == 1 and len(suite.outcomes) == 3
    assert suite.causes()["not run"] == 1 and sum(suite.causes().values()) == 2
    assert "| 3 | 1 | 33.3 |" in report.library_line(suite)
