"""ci/bench gpu: every row has what it measures, verdicts are right, and without a card the rows that need none run."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ci.benchmarks.gpu_rows import CAPTURED, ROWS, Outcome, Row
from ci.benchmarks.gpu_sides import WORKS
from ci.benchmarks.probe import SECTIONS
from ci.benchmarks.timing import host_and_wall

ROOT = Path(__file__).resolve().parents[2]
ROW = Row("some work; a copy", "a b", "c d", 1.25, ">= 80 %", CAPTURED, 2e9, "GB/s")
OWN = replace(ROW, theirs="", most=0.5, amount=0)


def test_each_row_has_its_measurements_and_each_measurement_a_row() -> None:
    named = {side.replace(" ", "_") for row in ROWS for side in (row.ours, row.theirs) if side}
    assert named == set(WORKS)
    assert len({row.work for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize(
    "row, ours, theirs, ratio, reached",
    [
        (ROW, {"host": 0.1, "wall": 0.5}, {"host": 0.1, "wall": 0.4}, 1.25, True),
        (ROW, {"host": 0.1, "wall": 0.6}, {"host": 0.1, "wall": 0.4}, 1.5, False),
        (ROW, {"host": 0.1, "wall": 0.6}, {"missing": "no torch"}, None, None),
        (ROW, {"missing": "no card"}, {}, None, None),
        (OWN, {"host": 0.4, "wall": 0.4}, {}, 0.4, True),
        (OWN, {"host": 0.6, "wall": 0.6}, {}, 0.6, False),
    ],
)
def test_reached(row, ours, theirs, ratio, reached) -> None:
    outcome = Outcome(row, ours, theirs)
    assert outcome.ratio == (None if ratio is None else pytest.approx(ratio))
    assert outcome.reached is reached


def test_lines_of_the_table() -> None:
    both = Outcome(ROW, {"host": 0.001, "wall": 0.5}, {"host": 2e-6, "wall": 0.4})
    assert both.line() == (
        "| some work; a copy | 1,000.0 | 500,000.0 (4.0 GB/s) | 2.0 | 400,000.0 (5.0 GB/s) | 1.25 | >= 80 % | yes |"
    )
    alone = Outcome(ROW, {"host": 0.001, "wall": 0.5}, {"missing": "no torch"})
    assert alone.line().endswith("| 500,000.0 (4.0 GB/s) | - | - | - | >= 80 % | - |")


def test_host_time_ends_when_the_call_returns() -> None:
    done = []
    measured = host_and_wall(lambda: done.append(1), lambda: sum(range(20000)), 0.01, 3)
    assert 0 < measured["host"] <= measured["wall"]
    assert len(done) >= 24  # a warm-up, one to count by, one a round


def bench(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "ci.benchmarks.gpu", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_row_that_needs_no_card(tmp_path: Path) -> None:
    output = tmp_path / "table.md"
    done = bench("compile", "--output", str(output))
    assert done.stderr == ""
    text = output.read_text()
    assert "# Speed on the GPU" in text
    line = next(line for line in text.splitlines() if "5,000 nodes" in line)
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert float(cells[1].replace(",", "")) > 0
    assert cells[6] == "< 0.5 s"


def test_words_that_no_row_has() -> None:
    done = bench("nothing")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ci/bench gpu: no row is about nothing\n"


def test_the_probe_names_its_sections() -> None:
    command = [sys.executable, "-m", "ci.benchmarks.probe", "nothing"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no such section: nothing" in done.stderr
    assert set(SECTIONS) >= {"calls", "graph", "memory"}
