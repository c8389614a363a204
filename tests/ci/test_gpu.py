"""ci/gpu: step limits, stored output, and messages without a usable GPU."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tarfile
import time
import tomllib
from pathlib import Path

import pytest

from ci.commands.gpu_runs import caches, machine, processes
from ci.commands.gpu_runs.__main__ import run_steps
from ci.commands.gpu_runs.calls import CALLS
from ci.commands.gpu_runs.results import COLUMNS, LINES, Results
from ci.commands.gpu_runs.steps import AROUND, Call, Step

ROOT = Path(__file__).resolve().parents[2]
LOST = 12_000  # characters kept of a remote command's output
MAX_FILES = 8


def program(folder: Path, name: str, text: str) -> str:
    """Creates a shell program; returns its path."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def environment_of(folder: Path, nvidia_smi: str, **more: str) -> dict[str, str]:
    """An environment with this text as nvidia-smi, all GPUs hidden, and results in the folder."""
    program(folder, "nvidia-smi", nvidia_smi)
    kept = {
        **os.environ,
        "PYTHON": sys.executable,
        "CUDA_VISIBLE_DEVICES": "-1",
        "TMPDIR": str(folder),
    }
    return {**kept, "PATH": f"{folder}:/usr/bin:/bin", "RESULTS": str(folder / "results"), **more}


def run(folder: Path, nvidia_smi: str, *arguments: str, **more: str) -> subprocess.CompletedProcess:
    environment = environment_of(folder, nvidia_smi, **more)
    command = ["ci/gpu", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def logs(results: Path) -> dict[str, str]:
    """The output of finished steps, by log file name."""
    with tarfile.open(results / "logs.tar.gz") as packed:
        return {member.name: packed.extractfile(member).read().decode() for member in packed}


def shell(name: str, text: str, limit: int = 60, **options) -> Step:
    """A step that runs a shell command instead of Python."""
    return Step(name, limit, ("-c", text), **options)


def results_of(folder: Path, *steps: Step, limit: int = 600) -> Results:
    """The results folder of these steps."""
    results = Results(folder / "results", ["# A call"])
    deadline = time.monotonic() + limit
    run_steps(Call("", limit, steps), results, "/bin/sh", dict(os.environ), deadline, [])
    return results


def row(results: Results, name: str) -> list[str]:
    (line,) = [line for line in results.summary().splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_missing_gpu_is_reported(tmp_path: Path) -> None:
    done = run(tmp_path, "echo 'No devices were found' >&2; exit 6")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "ci/gpu: nvidia-smi finds no device\n"
    assert not (tmp_path / "results").exists()


def test_gpu_unknown_to_tfmini_is_reported(tmp_path: Path) -> None:
    done = run(tmp_path, "echo 'Some Card, 1.0'")
    assert (done.returncode, done.stdout) == (1, "")
    first, second = done.stderr.splitlines()
    assert first == "CUDA_VISIBLE_DEVICES='-1' hides all GPUs."
    assert second.startswith(f"ci/gpu: {sys.executable} does not meet the requirements; ")


def test_listed_packages_match_project_dependencies() -> None:
    """The comment names each dependency, those of the GPU tests, and CuPy with CUDA's libraries."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = project["optional-dependencies"]["cuda13"]
    comment = (ROOT / "ci" / "gpu").read_text(encoding="utf-8").partition("set -euo")[0]
    wanted = [re.match(r"[\w-]+(\[\w+\])?", line)[0] for line in [*project["dependencies"], *extra]]
    assert "cupy-cuda13x[ctk]" in wanted
    assert [name for name in [*wanted, "pytest-timeout"] if name not in comment.split()] == []


@pytest.mark.parametrize("name, seconds", [("1", 320), ("2", 300), ("all", 3600)])
def test_step_limits_fit_call_limit(name: str, seconds: int) -> None:
    """A step is one process: no other runs concurrently or afterwards under the same limit."""
    call = CALLS[name]
    assert AROUND + sum(step.limit for step in call.steps) <= call.limit <= seconds
    assert len({step.name for step in call.steps}) == len(call.steps)


def test_step_modules_exist() -> None:
    named = {step.arguments[1] for call in CALLS.values() for step in call.steps}
    places = {name: ROOT / name.replace(".", "/") for name in named - {"pytest"}}
    missing = [
        n for n, path in places.items() if not (path.is_dir() or path.with_suffix(".py").exists())
    ]
    assert missing == []
    files = {
        a for c in CALLS.values() for s in c.steps for a in s.arguments if a.startswith("tests/")
    }
    assert [file for file in files if not (ROOT / file.partition("::")[0]).exists()] == []


def test_failed_or_hanging_step_does_not_stop_the_rest(tmp_path: Path) -> None:
    hangs = "trap '' INT; echo hanging; while true; do sleep 0.1; done"
    results = results_of(
        tmp_path,
        shell("fails", "echo broken; exit 3"),
        shell("hangs", hangs, limit=1),
        shell("misses", "", under=("no-such-program",)),
        shell("works", "echo fine; echo '12 of 12'"),
    )
    assert row(results, "fails")[1::2] == ["exit 3", "broken"]
    assert row(results, "hangs")[1::2] == ["stopped", "hanging"]
    assert row(results, "misses")[1::2] == ["skipped", "no no-such-program here"]
    assert row(results, "works")[1::2] == ["ok", "12 of 12"]
    assert results.failed
    assert list(logs(tmp_path / "results")) == ["01-fails.log", "02-hangs.log", "04-works.log"]


def test_summary_lines(tmp_path: Path) -> None:
    """Table rows, failures by name, the end of a traceback; no informational lines."""
    trace = [
        "Traceback (most recent call last):",
        *(f"  line {n}" for n in range(20)),
        "KeyError: 1",
    ]
    informs = "2026-01-02 03:04:05.678901: I tfmini] A device"
    steps = {
        "table": ("working", "| a | b |", "| --- | --- |", "| 1 | 2 |", informs, "2 rows"),
        "tests": (*trace, "FAILED one: why", "...", "FAILED two: why", "2 failed"),
        "error": ("begins", *trace),
        "stopped": ("| a | b |", "| 1 | 2 |", "no torch", "stopped: 1 of 3"),
    }
    result = [
        shell(name, f"cat <<END\n{chr(10).join(lines)}\nEND\nexit {int(name != 'table')}", shown=2)
        for name, lines in steps.items()
    ]
    results = results_of(tmp_path, *result)
    assert row(results, "table")[3] == "2 rows"
    details = results.summary().split("\n\n")[-1].splitlines()
    assert details == [
        *("tests:", "FAILED one: why", "FAILED two: why"),
        *("error:", "begins", "  line 18", "  line 19", "KeyError: 1"),
        *("stopped:", "| a | b |", "| 1 | 2 |", "stopped: 1 of 3"),
        *("table:", "| a | b |", "| 1 | 2 |"),
    ]


def test_child_processes_end_with_step(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    results_of(tmp_path, shell("leaves", f"sleep 600 & echo $! >{pid}"))
    for _ in range(500):  # it is reaped by another process
        try:
            state = Path(f"/proc/{int(pid.read_text())}/stat").read_text().split()[2]
        except FileNotFoundError:
            break
        if state == "Z":
            break
        time.sleep(0.01)
    else:
        pytest.fail("it still runs")


def test_step_is_terminated_before_kill(tmp_path: Path) -> None:
    results = results_of(
        tmp_path,
        shell("reports", "trap 'echo report; exit 0' INT; while true; do sleep 0.1; done", limit=2),
    )
    assert row(results, "reports")[1::2] == ["stopped", "report"]


def test_step_receives_remaining_time(tmp_path: Path) -> None:
    told = 'echo "$0"'
    steps = [
        Step("first", 10, ("-c", told, "{soon}")),
        Step("second", 30, ("-c", told, "{soon}"), takes_rest=True),
        Step("third", 10, ("-c", told, "{soon}")),
    ]
    results = results_of(tmp_path, *steps, limit=130)
    assert [row(results, step.name)[3] for step in steps][::2] == ["1", "1"]
    assert 90 <= int(row(results, "second")[3]) <= 100  # 130, minus 10 for the third and 20


def test_summary_and_logs_are_bounded(tmp_path: Path) -> None:
    steps = [shell(f"step_{n}", "yes $(seq 99) | head -n 300; exit 1") for n in range(20)]
    results = results_of(tmp_path, *steps)
    lines = results.summary().splitlines()
    assert len(lines) == LINES and max(map(len, lines)) <= COLUMNS
    assert len(results.summary()) < LOST
    assert len(list((tmp_path / "results").iterdir())) <= MAX_FILES
    assert logs(tmp_path / "results")["20-step_19.log"].count("\n") == 301


def test_killed_call_preserves_earlier_logs(tmp_path: Path) -> None:
    """Nothing can be done about SIGKILL; SIGTERM, which `timeout` sends first, still gets a summary."""
    for signum, name in ((signal.SIGKILL, "killed"), (signal.SIGTERM, "ended")):
        directory = tmp_path / name
        directory.mkdir()
        waits = 'echo $$ >"$0.new"; mv "$0.new" "$0.pid"; exec sleep 600'
        prints = "*versions*) echo Python; echo versions;; *devices*) echo checked;;"
        script = f'case "$*" in {prints} *) {waits};; esac'
        python = program(directory, "python", f"exec 2>&1; {script}")
        environment = environment_of(directory, "echo 'Some Card, 1.0'", PYTHON=python)
        command = [sys.executable, "-m", "ci.commands.gpu_runs", "--call", "1"]
        call = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        results = directory / "results"
        while not (directory / "python.pid").exists():
            assert call.poll() is None
            time.sleep(0.02)
        call.send_signal(signum)
        printed = call.communicate()[0]
        with contextlib.suppress(ProcessLookupError):  # SIGKILL orphans the step
            os.killpg(int((directory / "python.pid").read_text()), signal.SIGKILL)
        assert list(logs(results)) == ["01-versions.log", "02-devices.log"]
        assert logs(results)["02-devices.log"].splitlines()[1:] == ["checked"]
        summary = (results / "summary.md").read_text()
        assert "| devices | ok |" in summary
        if signum == signal.SIGTERM:
            assert printed == summary
            assert "ended early: SIGTERM in step losses" in summary


def test_interrupted_process_group_ends(tmp_path: Path) -> None:
    log = tmp_path / "log"
    ended = processes.run(["/bin/sh", "-c", "sleep 600"], os.environ, log, 1)
    assert (ended.status, ended.text) == (None, "stopped")
    assert log.read_text() == "$ /bin/sh -c sleep 600\n"


def test_caches_are_restored_by_later_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "PART_BYTES", 1 << 20)
    first = {name: str(tmp_path / "first" / name) for name in caches.FOLDERS.values()}
    content = {f"{n}.cubin": os.urandom(700_000) for n in range(6)} | {"search.json": b"{}"}
    for name, data in content.items():
        directory = Path(first["TFMINI_CUDNN_CACHE" if name == "search.json" else "CUPY_CACHE_DIR"])
        directory.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(data)
    results = tmp_path / "results"
    results.mkdir()
    assert caches.pack(results, first, 60.0) == "7 files of caches packed"
    assert 2 <= len(list(results.iterdir())) <= caches.MAX_PARTS
    second = {name: str(tmp_path / "second" / name) for name in caches.FOLDERS.values()}
    assert caches.unpack(results, second) == 7
    result = {path.name: path.read_bytes() for path in (tmp_path / "second").rglob("*.*")}
    assert result == content


def test_archive_cannot_escape_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with tarfile.open(tmp_path / "caches-1.tar.gz", "w:gz") as packed:
        packed.add(tmp_path / "file", "kernels/../../elsewhere")
    inside = {name: str(tmp_path / "in" / "side") for name in caches.FOLDERS.values()}
    assert caches.unpack(tmp_path, inside) == 0
    assert not (tmp_path / "elsewhere").exists()


def test_commit_without_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("COMMIT", raising=False)
    monkeypatch.setattr(machine, "ROOT", tmp_path)
    assert machine.commit() == "unknown"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert machine.commit() == "unknown"
    monkeypatch.setenv("COMMIT", "1234567")
    assert machine.commit() == "1234567"


@pytest.mark.full
def test_emulated_call_passes(tmp_path: Path) -> None:
    done = run(tmp_path, "", "--call", "1", "--rehearse", PYTHONWARNINGS="ignore")
    assert done.returncode == 0, done.stdout + done.stderr
    statuses = re.findall(r"^\| (\w+) \| (\w+) \|", done.stdout, re.MULTILINE)[1:]
    assert dict(statuses) == {"versions": "ok", **{step.name: "ok" for step in CALLS["1"].steps}}
    assert "the same in captured steps" in done.stdout
    assert "cuDNN: right, windows: right" in done.stdout
