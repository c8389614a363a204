"""tfmini._src.base.fresh_seeds: default seeds come from the system's random source."""

import random
import subprocess
import sys

import pytest

from tfmini._src.base import fresh_seeds


@pytest.mark.parametrize("seeds", [(1, 0), (0, 1), (3, 4)])
def test_given_seeds_are_kept(seeds):
    assert fresh_seeds.fresh_if_zero(*seeds) == seeds


def test_zero_seeds_are_drawn(monkeypatch):
    monkeypatch.setattr(fresh_seeds, "generator", random.Random(5))
    same = random.Random(5)
    assert fresh_seeds.fresh_if_zero(0, 0) == (same.getrandbits(64), same.getrandbits(64))
    assert fresh_seeds.fresh_seed() == same.getrandbits(64)


def test_unseeded_runs_differ():
    program = (
        "import tfmini as tf\n"
        "with tf.Session() as session: print(session.run(tf.random.uniform([4])).tolist())\n"
    )
    runs = [
        subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout
        for _ in range(2)
    ]
    assert runs[0] != runs[1]
