"""ci/gpu says what it misses, and leaves no result, where there is no card that it can use."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def program(folder: Path, name: str, text: str) -> str:
    """A program of the shell; its path."""
    made = folder / name
    made.write_text(f"#!/bin/sh\n{text}\n")
    made.chmod(0o755)
    return str(made)


def run(
    folder: Path, nvidia_smi: str, *arguments: str, python: str = sys.executable
) -> subprocess.CompletedProcess:
    """The command, with this text as the program nvidia-smi, and all cards hidden; results go to the folder."""
    program(folder, "nvidia-smi", nvidia_smi)
    environment = {**os.environ, "PYTHON": python, "CUDA_VISIBLE_DEVICES": "-1"}
    environment |= {"PATH": f"{folder}:/usr/bin:/bin", "RESULTS": str(folder / "results")}
    command = ["ci/gpu", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(autouse=True)
def no_results():
    before = sorted((ROOT / "ci" / "results").iterdir())
    yield
    assert sorted((ROOT / "ci" / "results").iterdir()) == before


def test_no_card(tmp_path: Path) -> None:
    done = run(tmp_path, "echo 'No devices were found' >&2; exit 6")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "ci/gpu: nvidia-smi finds no device\n"


def test_a_card_that_tfmini_does_not_find(tmp_path: Path) -> None:
    done = run(tmp_path, "echo 'Some Card, 1.0'")
    assert (done.returncode, done.stdout) == (1, "")
    first, second = done.stderr.splitlines()
    assert first == "CUDA_VISIBLE_DEVICES='-1' hides all GPUs."
    assert second.startswith(f"ci/gpu: not with {sys.executable}; ")


def test_what_it_carries_is_what_the_project_needs() -> None:
    """The comment names each dependency, those of the tests that cards see, and CuPy with CUDA's libraries."""
    tomllib = pytest.importorskip("tomllib", reason="this Python has no tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = project["optional-dependencies"]["cuda13"]
    comment = (ROOT / "ci" / "gpu").read_text(encoding="utf-8").partition("set -uo")[0]
    wanted = [re.match(r"[\w-]+(\[\w+\])?", line)[0] for line in [*project["dependencies"], *extra]]
    assert "cupy-cuda13x[ctk]" in wanted
    assert [name for name in wanted if name not in comment.split()] == []


STEPS = [
    "-m tfmini devices --test",
    "-m tests.on_cards.training",  # its losses, without graphs and with
    "-m tests.on_cards.training",
    "-m tests.on_cards.first probes",
    "-m tests.on_cards.training 6",  # under compute-sanitizer
    "-m tests.on_cards.training 6",
    "-m tests.on_cards.convolutions",  # with cuDNN and without
    "-m tests.on_cards.convolutions",
    "-m tests.on_cards.first times",
]
SANITIZER = 'shift 4; echo sanitized; exec "$@"'


def result_of(folder: Path) -> str:
    (path,) = (folder / "results").iterdir()
    assert path.name.startswith("gpu-first-20") and path.suffix == ".md"
    return path.read_text()


def test_the_first_minutes(tmp_path: Path) -> None:
    """Each step in its order, and what they print in a file."""
    program(tmp_path, "compute-sanitizer", SANITIZER)
    said = '[ "$1" = -c ] || echo "step: $*" | tee -a "$(dirname "$0")/steps"'
    python = program(tmp_path, "python", said)
    done = run(tmp_path, "echo 'Some Card, 1.0'", "--first", python=python)
    assert done.returncode == 0, done.stdout + done.stderr
    steps = (tmp_path / "steps").read_text().splitlines()
    assert steps == [f"step: {step}" for step in STEPS]
    text = result_of(tmp_path)
    assert "- device: Some Card, 1.0\n" in text and "- exit status: 0\n" in text
    assert "ci/gpu: the same losses with graphs and without\n" in text
    assert text.count("sanitized") == 2


@pytest.mark.parametrize("broken", [1, 3])
def test_a_step_that_fails_fails_all_and_the_others_go_on(tmp_path: Path, broken: int) -> None:
    step = [*dict.fromkeys(STEPS)][broken]
    program(tmp_path, "compute-sanitizer", SANITIZER)
    fails = f'[ "$*" = "{step}" ] && exit 3'
    python = program(tmp_path, "python", f'[ "$1" = -c ] && exit 0\n{fails}\necho "step: $*"')
    done = run(tmp_path, "echo 'Some Card, 1.0'", "--first", python=python)
    assert done.returncode == 1
    text = result_of(tmp_path)
    assert "- exit status: 1\n" in text
    assert f"step: {STEPS[-1]}\n" in text
    assert ("NO LOSSES" in text) == (step == STEPS[1])


def test_no_step_takes_for_ever() -> None:
    """The commands of the first minutes end by `timeout`, in no more than ten minutes but for compute-sanitizer."""
    text = (ROOT / "ci" / "gpu").read_text(encoding="utf-8")
    first = text[text.index("sanitizer() {") : text.index("everything() {")]
    lines = [line for line in first.splitlines() if '"$python"' in line]
    assert len(lines) == 7
    assert all("timeout" in line for line in lines if "compute-sanitizer" not in line)
    assert sum(int(n) for line in lines for n in re.findall(r"timeout (\d+) ", line)) <= 600


@pytest.mark.lengthy
def test_the_first_minutes_on_the_fake(tmp_path: Path) -> None:
    python = program(
        tmp_path, "python", f'exec {sys.executable} -m tests.on_cards.rehearsal "$@" 2>/dev/null'
    )
    done = run(tmp_path, "echo 'The fake, 1.0'", "--first", python=python)
    text = result_of(tmp_path)
    assert done.returncode == 0, text
    assert text.count(" ok ") == 4
    assert "the same losses with graphs and without" in text
    assert "argsort                        captured, the same result" in text
    assert text.count("convolution float32 NHWC") == 2 and "WRONG" not in text
    assert re.search(r"dynamic_lstm +\d+\.\d+ ms, with graphs +\d", text)
    assert len(re.findall(r"ms on the host; by CUDA events: graphs \d", text)) >= 2
