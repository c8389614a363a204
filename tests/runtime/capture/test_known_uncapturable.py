"""The ops that are not even tried to be captured: those that CuPy, and so the fake, refuses."""

import pytest

import tfmini as tf
from tests import gpu_checks
from tests.conformance import test_every_op
from tests.runtime.capturing import gpus_with_graphs, session_on_gpu
from tfmini.graph.opdef import raw
from tfmini.runtime import plan
from tfmini.runtime.capture.known_uncapturable import KNOWN_UNCAPTURABLE

pytestmark = pytest.mark.usefixtures(gpus_with_graphs.__name__)

NAMES = sorted(name for _, name in KNOWN_UNCAPTURABLE)
FEW = ("Cholesky", "IFFT", "ResizeBilinear", "Where")
SAMPLES = {sample.op: sample for sample in reversed(gpu_checks.SAMPLES)}


@pytest.fixture
def failures(monkeypatch):
    """The ops whose recording has failed, as plans note it."""
    found = []

    def note(self, error):
        noted(self, error)
        found.append(self._texts[-1].failing(error)[0].opdef.name)

    noted = plan.Plan._mark_uncapturable
    monkeypatch.setattr(plan.Plan, noted.__name__, note)
    return found


def run(sample):
    with session_on_gpu() as (session, _):
        arguments, feed = test_every_op.feeds(sample, True)
        outputs = test_every_op.outputs_of(getattr(raw, sample.op)(*arguments, **sample.attrs))
        for _ in range(4):
            session.run(outputs, feed)


@pytest.mark.parametrize(
    "name", [n if n in FEW else pytest.param(n, marks=pytest.mark.thorough) for n in NAMES]
)
def test_each_would_fail(name, failures, monkeypatch):
    run(SAMPLES[name])
    assert not failures
    monkeypatch.setattr(plan, "KNOWN_UNCAPTURABLE", frozenset())
    run(SAMPLES[name])
    assert failures == [name]


@pytest.mark.thorough
def test_there_are_no_others(failures):
    """Of the ops that have rows of values: the first and the last, which is often of no elements."""
    last = {sample.op: sample for sample in gpu_checks.SAMPLES}
    for sample in (*SAMPLES.values(), *(s for s in last.values() if s is not SAMPLES[s.op])):
        with tf.Graph().as_default():
            run(sample)
    assert not failures
