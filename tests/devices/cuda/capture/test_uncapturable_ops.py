"""Ops excluded from capture because CuPy, and hence the emulator, rejects them."""

import functools

import numpy as np
import pytest

import tfmini as tf
from tests.conformance import test_every_op
from tests.executor.capturing import gpus_with_graphs, graphs, session_on_gpu
from tests.support.gpu import gpu_checks
from tfmini._src.devices.cuda.capture import uncapturable_ops
from tfmini._src.executor import plan
from tfmini._src.graph.opdef import raw

pytestmark = pytest.mark.usefixtures(gpus_with_graphs.__name__)

NAMES = sorted(name for _, name in uncapturable_ops.KNOWN_UNCAPTURABLE)
FEW = ("Cholesky", "IFFT", "Where")


@functools.cache
def first():
    """The first row of each op."""
    return {sample.op: sample for sample in reversed(gpu_checks.SAMPLES)}


@pytest.fixture
def failures(monkeypatch):
    """Ops whose capture has failed, as recorded by plans."""
    results = []

    def note(self, error):
        noted(self, error)
        results.append(self._texts[-1].failing(error)[0].opdef.name)

    noted = plan.Plan._mark_uncapturable
    monkeypatch.setattr(plan.Plan, noted.__name__, note)
    return results


# Their small arrays are constants, or derived from shapes.
CAPTURED = (
    *("Bucketize", "InTopKV2", "MaxPoolWithArgmax"),
    *("ResizeBilinear", "ResizeBilinearGrad", "ResizeNearestNeighborGrad"),
)


def run(sample):
    """Runs the op a few times; returns the number of graph launches."""
    with session_on_gpu() as (session, machine):
        arguments, feed = test_every_op.feeds(sample, True)
        outputs = test_every_op.outputs_of(getattr(raw, sample.op)(*arguments, **sample.attrs))
        for _ in range(4):
            session.run(outputs, feed)
        return graphs(machine)


@pytest.mark.parametrize("name", CAPTURED)
def test_constants_stay_on_gpu(name, failures):
    assert run(first()[name]) == 2
    assert not failures


def test_dynamic_stitch_is_captured(failures):
    with session_on_gpu() as (session, machine):
        x = tf.placeholder(tf.float32, [3, 2])
        result = tf.dynamic_stitch([[4, 0, 2], [1, 3, 1]], [x * 2.0, x + 1.0]) + 0.5
        for i in range(5):
            value = np.arange(6, dtype="f").reshape(3, 2) + i
            got = session.run(result, {x: value})
            want = np.stack([value[1] * 2, value[2] + 1, value[2] * 2, value[1] + 1, value[0] * 2])
            np.testing.assert_array_equal(got, want + 0.5)
        assert graphs(machine) == 3 and not failures


def test_einsum_is_captured_without_cublas(failures):
    """cupy/linalg/_einsum.py multiplies by cuBLAS, whose wrapper rejects captures."""
    with session_on_gpu(cudnn=lambda: None) as (session, machine):
        x = tf.placeholder(tf.float32, [2, 4, 4, 3])
        w = tf.ones([2, 2, 3, 2])
        y = tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "VALID")
        labels = tf.cast(tf.one_hot([0, 2], 9 * 6), tf.float16)
        logits = tf.cast(tf.reshape(y, [2, -1]), tf.float16)
        loss = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
        fetches = [loss, *tf.gradients(loss, w)]
        for _ in range(4):
            session.run(fetches, {x: np.ones([2, 4, 4, 3])})
        assert graphs(machine) and not failures


@pytest.mark.parametrize(
    "name", [n if n in FEW else pytest.param(n, marks=pytest.mark.full) for n in NAMES]
)
def test_known_uncapturable_ops_fail_capture(name, failures, monkeypatch):
    run(first()[name])
    assert not failures
    monkeypatch.setattr(uncapturable_ops, "KNOWN_UNCAPTURABLE", frozenset())
    run(first()[name])
    assert failures == [name]


@pytest.mark.full
def test_all_other_ops_are_capturable(failures):
    """For ops with value rows: the first row and the last, which is often empty."""
    last = {sample.op: sample for sample in gpu_checks.SAMPLES}
    for sample in (*first().values(), *(s for s in last.values() if s is not first()[s.op])):
        with tf.Graph().as_default():
            run(sample)
    assert not failures


@pytest.mark.full
def test_captured_gradients(failures):
    """Each row's gradients, with different upstream gradients in each step, equal the CPU's."""
    captured = 0
    for sample in gpu_checks.DIFFERENTIABLE:
        with session_on_gpu() as (session, machine):
            got = gradients(sample, session)
            captured += bool(graphs(machine))
        config = gpu_checks.without_gpus()
        with tf.Graph().as_default(), tf.Session(config=config) as session:
            gpu_checks.compare_gradients(got, gradients(sample, session))
    assert not failures
    assert captured > 500


def gradients(sample, session):
    """A row's gradients in five steps."""
    result, feed, upstream = gpu_checks.gradient_graph(sample)
    steps = [{p: np.asarray(v * k, v.dtype) for p, v in upstream.items()} for k in range(1, 6)]
    return [np.asarray(v) for step in steps for v in session.run(result, {**feed, **step})]
