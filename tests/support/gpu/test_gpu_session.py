"""Missing launches fail, and so do unnecessary entries in the list of idle rows."""

import types

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu import gpu_checks, gpu_session, idle_on_gpus
from tests.support.gpu.gpu_session import LAUNCHES, GpuSession
from tfmini._src.graph.opdef import raw

pytestmark = pytest.mark.usefixtures("gpu")

LISTS = {
    "VALUES": gpu_checks.SAMPLES,
    "LAUNCHING_VALUES": gpu_checks.SAMPLES,
    "GRADIENTS": gpu_checks.DIFFERENTIABLE,
    "LAUNCHING_GRADIENTS": gpu_checks.DIFFERENTIABLE,
    "BUILT": gpu_checks.BUILT,
    "LAUNCHING_BUILT": gpu_checks.BUILT,
}
CHECKS = {
    gpu_checks.check_value: gpu_checks.SAMPLES,
    gpu_checks.check_gradient: gpu_checks.DIFFERENTIABLE,
    gpu_checks.check_built: gpu_checks.BUILT,
}


def of_op(op, samples):
    return next(sample for sample in samples if sample.op == op)


@pytest.fixture
def as_on_a_gpu(monkeypatch):
    """Counts plan nodes in place of the emulator's launches."""
    monkeypatch.setattr(gpu_session, "current", types.SimpleNamespace(machine=None))


@pytest.fixture(params=["launches", "nodes"])
def _each_way(request):
    if request.param == "nodes":
        request.getfixturevalue("as_on_a_gpu")


@pytest.mark.usefixtures("_each_way")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_check_requires_launches(check):
    op = "AssignAdd" if check is gpu_checks.check_built else "Tanh"
    assert check(of_op(op, CHECKS[check])) == LAUNCHES


@pytest.mark.usefixtures("_each_way")
def test_constant_gradients_fail_check():
    """The plan compiler folds them on the CPU."""
    x = tf.constant([0.5, 1.0])
    result = tf.gradients(tf.tanh(x), x, tf.ones_like(x))
    with GpuSession() as session:
        session.run(result)
        with pytest.raises(AssertionError, match=": Fill, Tanh, TanhGrad$"):
            session.judge("Tanh", idle_on_gpus.GRADIENTS, idle_on_gpus.LAUNCHING_GRADIENTS)


@pytest.mark.parametrize(
    "idle, launching, message",
    [
        ({"Tanh": "whatever"}, {}, "^Tanh launches on the GPU"),
        ({}, {"Tanh": "whatever"}, "^Tanh need not be listed"),
    ],
)
def test_needless_exceptions_are_reported(idle, launching, message):
    with GpuSession() as session:
        x = tf.placeholder(tf.float32, [3])
        session.run(raw.Tanh(x), {x: np.ones(3)})
        assert session.judge("Tanh", {}, {}) == LAUNCHES
        with pytest.raises(AssertionError, match=message):
            session.judge("Tanh", idle, launching)


def test_reasons_for_idle_ops():
    x = tf.placeholder(tf.float32, [2, 3])
    n = tf.placeholder(tf.int32, [2])
    for fetched, reason in (
        (raw.Reshape(x, [3, 2]), idle_on_gpus.MOVED),
        (raw.AddV2(n, n), idle_on_gpus.HOST_MEMORY),
        (raw.BesselI1e(x), idle_on_gpus.ON_THE_HOST),
        (raw.Bincount(n, 3, tf.zeros([0], tf.int64)), idle_on_gpus.NO_KERNEL),
        (raw.Maximum(x[:0], x[:0]), idle_on_gpus.EMPTY),
        (x, idle_on_gpus.NOTHING),
    ):
        with GpuSession() as session:
            session.run(fetched, {x: np.zeros([2, 3]), n: [0, 1]})
            assert session.judge("a row", {}, {}) == reason
            with pytest.raises(AssertionError, match="^a row need not be listed"):
                session.judge("a row", {"a row": reason}, {})


def test_constants_are_fed():
    x = tf.constant([1.0, 2.0])
    with GpuSession() as session:
        session.run(tf.tanh(x))
        with pytest.raises(AssertionError, match="^a row launches nothing on the GPU: Tanh"):
            session.judge("a row", {}, {})
    with GpuSession(feeds_constants=True) as session:
        session.run(tf.tanh(x))
        assert session.judge("a row", {}, {}) == LAUNCHES


@pytest.mark.parametrize("name", LISTS)
def test_exceptions_name_samples(name):
    assert {*getattr(idle_on_gpus, name)} <= {str(sample) for sample in LISTS[name]}


@pytest.mark.full
@pytest.mark.usefixtures("as_on_a_gpu")
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_all_checks_pass_on_emulated_gpu(check):
    wrong = []
    for sample in CHECKS[check]:
        try:
            check(sample)
        except AssertionError as error:
            wrong.append(f"{sample}: {error}")
    assert wrong == []
