"""ci/bench gpu: every row has a measurement, verdicts are correct, and rows that need no GPU run without one."""

import importlib.util
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ci.commands.benchmarks import gpu_processes
from ci.commands.benchmarks.gpu_processes import Processes
from ci.commands.benchmarks.gpu_rows import CAPTURED, ROWS, Outcome, Peer, Row
from ci.commands.benchmarks.gpu_sides import WORKS
from ci.commands.benchmarks.probe import SECTIONS
from ci.commands.benchmarks.timing import host_and_wall

ROOT = Path(__file__).resolve().parents[2]
PEERS = Peer("a copy", "c d", 1.25), Peer("torch", "e f", 0.5)
ROW = Row("group", "some work", "a b", CAPTURED, PEERS, 2e9, "GB/s")
OWN = replace(ROW, peers=(), most=0.5, amount=0)


def test_rows_and_measurements_correspond() -> None:
    works = {work for row in ROWS for work in (row.ours, *(peer.work for peer in row.peers))}
    assert {"_".join(work.split()[:2]) for work in works} == set(WORKS)
    assert len({row.work for row in ROWS}) == len(ROWS)


def test_network_rows_cover_layouts_and_peers() -> None:
    rows = [row for row in ROWS if row.group == "networks"]
    assert len(rows) == 2 * 2 * 2 + 2
    for row in rows:
        _, _, name, layout = row.ours.split()
        tf32 = {"0": "off", "1": "on"}[row.environment["TFMINI_TF32"]]
        assert all(
            peer.work.startswith(f"torch network {name} {layout} {tf32} ") for peer in row.peers
        )
    assert {peer.work.split()[-1] for row in rows for peer in row.peers} == {
        "eager",
        "graph",
        "compiled",
    }


def seconds(wall: float) -> dict[str, float]:
    return {"host": 0.1, "wall": wall}


@pytest.mark.parametrize(
    "row, ours, theirs, ratios, reached",
    [
        (ROW, seconds(0.5), (seconds(0.4), seconds(2)), [1.25, 0.25], [True, True]),
        (ROW, seconds(0.6), (seconds(0.4), seconds(1)), [1.5, 0.6], [False, False]),
        (ROW, seconds(0.6), ({"missing": "no torch"}, seconds(2)), [None, 0.3], [None, True]),
        (ROW, {"missing": "no GPU"}, ({}, {}), [None, None], [None, None]),
        (OWN, seconds(0.4), (), [], [True]),
        (OWN, seconds(0.6), (), [], [False]),
        (OWN, {"missing": "no GPU"}, (), [], [None]),
    ],
)
def test_targets(row, ours, theirs, ratios, reached) -> None:
    outcome = Outcome(row, ours, theirs)
    assert [outcome.ratio(n) for n in range(len(theirs))] == [
        r and pytest.approx(r) for r in ratios
    ]
    assert outcome.reached == reached


def test_table_lines() -> None:
    theirs = {"host": 2e-6, "wall": 0.4}, {"host": 0.2, "wall": 0.2}
    assert Outcome(ROW, {"host": 0.001, "wall": 0.5}, theirs).line() == (
        "| some work | 1,000 / 500,000 (4.0 GB/s) | a copy 2 / 400,000 (5.0 GB/s): 1.25; "
        "torch 200,000 / 200,000 (10.0 GB/s): 2.50 > 0.50 **no** |"
    )
    alone = Outcome(ROW, {"host": 0.001, "wall": 0.5}, ({"missing": "no torch"}, {}))
    assert alone.line() == "| some work | 1,000 / 500,000 (4.0 GB/s) | a copy -; torch - |"
    assert (
        Outcome(OWN, seconds(0.6)).line() == "| some work | 100,000 / 600,000 | <= 0.5 s **no** |"
    )


SIDE = """
import json, os, sys, time
for line in sys.stdin:
    name = line.split()[0]
    if name == "hangs":
        time.sleep(600)
    if name == "dies":
        sys.exit("no memory")
    print(json.dumps({"said": line.split(), "process": os.getpid(), "set": os.environ.get("SET")}), flush=True)
"""


@pytest.fixture
def side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fake measuring module."""
    (tmp_path / "told_side.py").write_text(SIDE)
    monkeypatch.setattr(gpu_processes, "MODULE", "told_side")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.mark.usefixtures("side")
def test_environments_share_one_process_per_side() -> None:
    with Processes(60) as processes:
        first, second = (processes.measured(f"torch {name} x", {}) for name in ("one", "two"))
        other = processes.measured("torch one x", {"SET": "1"})
        assert processes.measured("torch one x", {}) is first
    assert first["said"] == ["one", "x"]
    assert first["process"] == second["process"] != other["process"]
    assert (first["set"], other["set"]) == (None, "1")


@pytest.mark.usefixtures("side")
def test_failed_measurement_does_not_stop_the_rest() -> None:
    with Processes(60) as processes:
        before = processes.measured("torch one", {})
        assert processes.measured("torch dies", {}) == {"missing": "no memory", "failed": True}
        processes._limit = 0.5
        assert processes.measured("torch hangs", {}) == {"missing": "took more than 0.5 s"}
        processes._limit = 60
        after = processes.measured("torch two", {})
    assert after["said"] == ["two"] and after["process"] != before["process"]


def test_missing_and_failing_sides() -> None:
    with Processes(60) as processes:
        result = [
            processes.measured(name, {})
            for name in ("torch matmul float32", "tfmini network no_such NHWC")
        ]
    assert result[0] == {"missing": "ModuleNotFoundError: No module named 'torch'"}
    if importlib.util.find_spec("cupy") is None:
        assert result[1] == {"missing": "ModuleNotFoundError: No module named 'cupy'"}
    else:
        assert result[1] == {"missing": "KeyError: 'no_such'", "failed": True}


def test_host_time_ends_at_return() -> None:
    done = []
    measured = host_and_wall(lambda: done.append(1), lambda: sum(range(20000)), 0.01, 3)
    assert 0 < measured["host"] <= measured["wall"]
    assert len(done) >= 24  # a warm-up, one to count by, one per round


def bench(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "ci.commands.benchmarks.gpu", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_rows_without_gpu(tmp_path: Path) -> None:
    output = tmp_path / "table.md"
    done = bench("nodes", "--output", str(output))
    assert (done.returncode, done.stderr) == (0, "")
    text = output.read_text()
    assert "# Speed on the GPU" in text
    line = next(line for line in text.splitlines() if "5,000 nodes" in line)
    assert done.stdout.splitlines()[0] == line
    assert re.match(
        r"1 rows, [01] below target, 0 measurements failed",
        done.stdout.splitlines()[1],
    )
    assert re.fullmatch(r"\| compile .* \| [\d,]+ / [\d,]+ \| <= 0.5 s.* \|", line)


def test_unmatched_filter_is_rejected() -> None:
    done = bench("nothing")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ci/bench gpu: no row matches nothing\n"


def test_probe_lists_sections() -> None:
    command = [sys.executable, "-m", "ci.commands.benchmarks.probe", "nothing"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no such section: nothing" in done.stderr
    assert set(SECTIONS) >= {"calls", "graph", "memory"}
