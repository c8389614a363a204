"""The programs that `ci/gpu` runs on a card run on the fake too, so that they are right when there is a card."""

import json
from unittest import mock

import numpy as np
import pytest

import tfmini as tf
from tests.fake_cupy.memory import Segment
from tests.gpus import fake_gpus
from tests.on_cards import captures, test_several_gpus, training, unpooled
from tests.on_cards.training import Training

pytestmark = pytest.mark.usefixtures("gpu_environment")

STEPS = 12


def losses():
    training = Training()
    return [training.step() for _ in range(STEPS)]


def test_training_is_the_same_replayed_or_not_and_on_the_cpu(monkeypatch):
    got = {}
    for graphs in "0", "1":
        monkeypatch.setenv("TFMINI_CUDA_GRAPHS", graphs)
        with fake_gpus(devices=1) as machine, tf.Graph().as_default():
            got[graphs] = losses()
        assert machine.counters.launches > 100
    with fake_gpus(devices=0):
        want = losses()
    assert got["0"] == got["1"]
    np.testing.assert_allclose(got["0"], want, rtol=1e-4)


@pytest.mark.parametrize("cards", [1, 2])
def test_sums_and_copies_over_several_gpus(cards, capsys):
    with fake_gpus(devices=cards):
        exec(test_several_gpus.BEGIN + test_several_gpus.ALL_REDUCE, {})
        exec(test_several_gpus.BEGIN + test_several_gpus.COPIES, {})
    reduced, copied = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert reduced == [0.0, True]
    assert copied == 0.0


def test_what_a_stream_captures():
    """CuPy's own concatenate and matmul are what it refuses."""
    with fake_gpus(devices=1):
        found = dict(captures.captures())
    refused = {name for name, result in found.items() if result.startswith("refused")}
    assert refused == {"concatenate of 9, of CuPy", "matmul, of CuPy"}
    assert {r for n, r in found.items() if n not in refused} == {"captured, the same result"}


def test_training_with_an_allocation_for_each_array(monkeypatch, capsys):
    """The losses are the pool's, and each variable has a segment of its own."""
    monkeypatch.setattr("sys.argv", ["training", "2"])
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    taken, printed = [], []
    segment = Segment.__init__
    for main in (training.main, unpooled.main):
        with fake_gpus(devices=1), tf.Graph().as_default():
            with mock.patch.object(Segment, "__init__", autospec=True, side_effect=segment) as made:
                main()
        taken.append(made.call_count)
        printed.append(capsys.readouterr().out)
    assert taken[0] < 20 < 60 < taken[1]
    assert printed[0] == printed[1] != ""
