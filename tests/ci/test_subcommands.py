"""Commands of ci/: each lists its subcommands, runs the named one, and rejects unknown names with the list."""

import os
import subprocess
import sys

import pytest

from ci.commands import bench, check, generate, mutants, record, release, soak
from ci.commands.subcommands import REFERENCE, ROOT, Subcommand, interpreter
from tests.support import cases
from tests.support.programs import recording

TABLES = {
    "bench": bench.SUBCOMMANDS,
    "check": check.SUBCOMMANDS,
    "generate": {**generate.FROM_THE_TREE, **generate.OTHERS},
    "mutants": mutants.SUBCOMMANDS,
    "record": record.SUBCOMMANDS,
    "release": release.SUBCOMMANDS,
    "soak": soak.SUBCOMMANDS,
}
EACH = [pytest.param(known, id=name) for table in TABLES.values() for name, known in table.items()]


def output(*line: str, status: int = 0) -> str:
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def test_entry_points_are_few() -> None:
    entries = [path for path in (ROOT / "ci").iterdir() if path.name != "__pycache__"]
    assert len(entries) <= 12
    for path in entries:
        assert path.is_dir() or os.access(path, os.X_OK), path


@pytest.mark.parametrize("command", [*TABLES, "gpu", "reference", "tests_of"])
def test_help_names_each_subcommand(command: str) -> None:
    environment = {**os.environ, "PYTHON": sys.executable}
    line = [str(ROOT / "ci" / command), "--help"]
    done = subprocess.run(line, capture_output=True, text=True, env=environment, cwd="/")
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    assert [name for name in TABLES.get(command, {}) if name not in words] == []
    assert len(words) > 10


@cases.in_one_test
@pytest.mark.parametrize("known", EACH)
def test_subcommand_targets_exist(known: Subcommand) -> None:
    assert known.path.is_file()
    text = known.own_help()
    assert text is None or len(text.split()) > 3


def test_script_help_is_its_comment() -> None:
    said = output(sys.executable, "-m", "ci.commands.soak", "damage", "--help")
    assert said.startswith("Reads damaged files of each kind")
    assert said.count("ci/soak damage [COUNT]") == 1 and "set -euo" not in said


def test_help_names_missing_package(tmp_path, monkeypatch) -> None:
    (tmp_path / "PIL.py").write_text("raise ModuleNotFoundError(\"No module named 'PIL'\")")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    said = output(sys.executable, "-m", "ci.commands.soak", "programs", "--help", status=1)
    assert said.startswith("ci/soak programs: No module named 'PIL'; pip install")


def test_unknown_subcommand_lists_alternatives() -> None:
    said = output(sys.executable, "-m", "ci.commands.soak", "nothing", status=1)
    assert said == f"ci/soak: no subcommand 'nothing'; choose from {', '.join(soak.SUBCOMMANDS)}\n"


def test_default_subcommand_receives_arguments() -> None:
    said = output(sys.executable, "-m", "ci.commands.bench", "cpu", "--help")
    assert "--rounds" in said
    failed = output(sys.executable, "-m", "ci.commands.bench", "--surely-not", status=2)
    assert "unrecognized arguments: --surely-not" in failed


def test_reference_subcommand_uses_reference_python(monkeypatch) -> None:
    monkeypatch.setenv(REFERENCE, "/python")
    line = record.SUBCOMMANDS["streams"].command(["x"])
    assert line == ["/python", "-W", "ignore", "-m", "tests.devices.record_streams", "x"]
    monkeypatch.delenv("TFMINI_REFERENCE_GPU", raising=False)
    with pytest.raises(SystemExit, match="TFMINI_REFERENCE_GPU names no Python: tensorflow-gpu"):
        interpreter("TFMINI_REFERENCE_GPU")


def test_record_subcommands_do_not_clash_with_cases() -> None:
    folders = "recorded_programs bad_input scenes placements exchange seeds/snippets".split()
    cases = {name for folder in folders for name in recording.names_in(f"conformance/{folder}")}
    assert len(cases) > 500 and cases & {*record.SUBCOMMANDS} == set()
