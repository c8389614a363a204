"""Programs in two processes, with the results of Horovod 0.21.3 with TensorFlow 1.15.5."""

import json
import subprocess
import sys

import numpy as np
import pytest

from tests.cluster.tasks import environment
from tests.distribute.horovod.http_store import HttpStore
from tests.distribute.horovod.write_golden import GOLDEN, PROGRAMS, seen_by_ranks

RECORDS = json.loads(GOLDEN.read_text())


def agree(expected, comm):
    """Compares everything, floats up to rounding."""
    if isinstance(expected, dict):
        assert expected.keys() == comm.keys()
        for key in expected:
            agree(expected[key], comm[key])
    elif isinstance(expected, list):
        assert len(expected) == len(comm)
        for each, other in zip(expected, comm):
            agree(each, other)
    elif isinstance(expected, float):
        np.testing.assert_allclose(comm, expected, rtol=1e-5, atol=1e-6)
    else:
        assert expected == comm


def run_in_two_ranks(program, **variables):
    """The results of each rank of a program."""
    launch = ["-W", "ignore", "-m", "tfmini", "launch", "--restarts", "0", "--ranks", "2"]
    done = subprocess.run(
        [sys.executable, *launch, str(program)],
        capture_output=True,
        text=True,
        timeout=240,
        env={**environment(), **variables},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return seen_by_ranks(done.stdout)


@pytest.mark.parametrize("program", sorted(RECORDS))
def test_programs(program, tmp_path):
    path = tmp_path / "timeline.json"
    result = run_in_two_ranks(PROGRAMS / f"{program}.py", HOROVOD_TIMELINE=str(path))
    agree(RECORDS[program], result)
    names = {each["name"] for each in json.loads(path.read_text()) if each.get("ph") == "B"}
    kinds = {"ALLREDUCE", "ALLTOALL" if program == "operations" else "BROADCAST"}
    assert kinds | {f"NEGOTIATE_{kind}" for kind in kinds} <= names


def run_by_horovodrun(program):
    """The results of two ranks that connect through a fake of horovodrun's rendezvous."""
    with HttpStore() as store:
        running = [
            subprocess.Popen(
                [sys.executable, "-W", "ignore", "-m", "tfmini", "run", program],
                stdout=subprocess.PIPE,
                text=True,
                env={
                    **environment(),
                    "HOROVOD_RANK": str(rank),
                    "HOROVOD_SIZE": "2",
                    "HOROVOD_GLOO_RENDEZVOUS_ADDR": "127.0.0.1",
                    "HOROVOD_GLOO_RENDEZVOUS_PORT": str(store.port),
                },
            )
            for rank in range(2)
        ]
        result = [process.communicate(timeout=240)[0] for process in running]
    lines = "".join(f"[{rank}] {text}" for rank, text in enumerate(result))
    return seen_by_ranks(lines)


def test_adasum_steps_match_formula():
    """Of steps (-0.5, 0) and (-0.5, -0.5): by the formula (-0.5, 0) / 2 + (-0.5, -0.5) * 3 / 4."""
    first, second = run_by_horovodrun(PROGRAMS.with_name("adasum_trainer.py"))
    step = np.array([-0.625, -0.375])
    agree([([1, 2] + step * (n + 1)).tolist() for n in range(4)], first["each"])
    assert first["each"] == second["each"]
    own = [np.array([-0.5, 0.0]), np.array([-0.5, -0.5])]
    for rank, found in enumerate([first, second]):  # the second of two steps is combined
        local = [[1, 2] + own[rank], [1, 2] + 2 * step + own[rank]]
        expected = [local[0], [1, 2] + 2 * step, local[1], [1, 2] + 4 * step]
        agree([each.tolist() for each in expected], found["second"])


def test_eager_execution():
    result = run_in_two_ranks(PROGRAMS.with_name("eager_trainer.py"))
    seen = {
        "mean": [1.0],
        "tape": [[1.5, 1.5], None],
        "weights": [0.5, 0.5],  # (1 - 1.5 + 1, 2 - 1.5) of rank 1
        "model": [[[2.5]], [1.0]],  # each step is 0.5 times the mean of 1 and 2, and of 1
    }
    agree([seen, seen], result)
