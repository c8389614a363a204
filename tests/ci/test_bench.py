"""ci/bench: every row has a workload, a small run prints a table, and verdicts are correct."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import ci.commands.benchmarks.jax_works
import ci.commands.benchmarks.torch_works  # noqa: F401
import tfmini as tf
from ci.commands.benchmarks import workloads
from ci.commands.benchmarks.__main__ import ONCE
from ci.commands.benchmarks.peer_works import PEERS
from ci.commands.benchmarks.peers import TARGETS
from ci.commands.benchmarks.report import line, number
from ci.commands.benchmarks.rows import ROWS, WORKLOADS, Outcome, Row
from ci.commands.benchmarks.sweep import line as line_of_sweep, summary
from ci.commands.benchmarks.sweep_workloads import SWEEP
from ci.commands.benchmarks.worker import LOOPED

ROOT = Path(__file__).resolve().parents[2]
RATIO = Row("x", "seconds", "some work", "us", "ratio", 0.5)
OWN = Row("x", "lost", "lost", "MB", "own", 1.0)


def test_rows_and_workloads_correspond() -> None:
    assert set(WORKLOADS) == {"hello", *LOOPED, *workloads.ONCE}
    assert set(ONCE) == set(workloads.ONCE)
    assert len({(row.workload, row.metric) for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize(
    "row, ours, theirs, note, reached",
    [
        (RATIO, [1e-6, 2e-6, 9e-6], [4e-6, 4e-6, 4e-6], "", True),
        (RATIO, [1e-6, 3e-6, 9e-6], [4e-6, 4e-6, 4e-6], "", False),
        (RATIO, [1e-6], [], "", None),
        (RATIO, [1e-6], [4e-6], "failed", False),
        (OWN, [1.0], [9.0], "", True),
        (OWN, [1.5], [9.0], "", False),
    ],
)
def test_targets(row, ours, theirs, note, reached) -> None:
    assert Outcome(row, ours, theirs, note).reached is reached


def test_table_line() -> None:
    outcome = Outcome(RATIO, [1e-6, 2e-6, 3e-6], [4e-6, 4e-6, 3e-6])
    assert line(outcome) == (
        "| some work | 2.00 us | 4.00 us | 0.50 (0.25 to 1.00) | <= 0.5 | yes |"
    )
    assert line(Outcome(OWN, [1.5], [])) == "| lost | 1.50 MB | - | - | <= 1.00 MB | **no** |"


def test_numbers_have_three_digits() -> None:
    assert [number(v, "us") for v in (1.234e-6, 12.34e-6, 123.4e-6)] == [
        "1.23 us",
        "12.3 us",
        "123 us",
    ]


def test_run_without_reference_prints_table(tmp_path: Path) -> None:
    output = tmp_path / "table.md"
    command = [
        sys.executable,
        "-m",
        "ci.commands.benchmarks",
        "one_add",
        "softmax",
        "--rounds",
        "2",
    ]
    done = subprocess.run(
        [*command, "--seconds", "0.01", "--reference", "", "--output", str(output)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    table = output.read_text(encoding="utf-8")
    assert re.search(r"\| `run` of one add on a fed scalar \| [\d.]+ [um]s \| - \| - \|", table)
    assert re.search(r"\| softmax regression [^|]* \| [\d.]+ [um]s \| - \| - \|", table)
    assert "- tfmini: commit " in table


def test_unknown_workload_is_rejected() -> None:
    command = [sys.executable, "-m", "ci.commands.benchmarks", "nothing"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no such workload: nothing" in done.stderr


def test_peers_implement_target_workloads() -> None:
    for workload in TARGETS:
        assert any(row.workload == workload for row in ROWS)
        assert {f"{side}_{workload}" for side in ("torch", "jax")} <= set(PEERS)


@pytest.mark.parametrize("workload", ["mlp", "chain_1000", "softmax", "embedding"])
def test_numpy_peers_match_graphs(workload) -> None:
    steps = PEERS[f"numpy_{workload}"](), LOOPED[workload](tf)
    for _ in range(3):
        for step in steps:
            step.run()
    ours, theirs = (float(step.probe()) for step in steps)
    assert ours == pytest.approx(theirs, rel=1e-5)


@pytest.mark.parametrize(
    "case", ["exp, small, gradients", "gather, small, gradients", "top_k 5, small", "chain_100"]
)
def test_sweep_cases_run(case) -> None:
    step = SWEEP[case](tf)
    step.run()
    assert step.probe() > 0


def test_sweep_summary_counts_slower_cases() -> None:
    quick, slow = {"seconds": 1e-6, "cpu": 2e-6}, {"seconds": 4e-6, "cpu": 2e-6}
    assert line_of_sweep("x", quick, slow) == "| x | 1.00 us | 4.00 us | 0.25 | 1.00 |"
    assert summary([(quick, slow), (slow, quick)]) == (
        "2 cases. Wall time: geometric mean 1.00, 1 above 1.05; CPU time: geometric mean 1.00, 0 above 1.05."
    )
