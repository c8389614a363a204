"""Sessions with lost GPUs, in forked processes, with nodes that cannot be placed."""

import os

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.devices.cuda import discovery, products
from tfmini._src.devices.cuda.cublas import CublasError


def test_lost_gpu_closes_session(gpus):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None])
        with tf.device("/gpu:1"):
            y = tf.multiply(x, 2.0, name="doubled")
        session = tf.Session()
        assert session.run(y, {x: np.ones(2)}).tolist() == [2, 2]
        gpus.lose(1)
        with pytest.raises(tf.errors.UnavailableError) as caught:
            session.run(y, {x: np.ones(2)})
        assert "device:GPU:1 is lost: cudaErrorLaunchFailure" in caught.value.message
        assert "This process cannot use it any more." in caught.value.message
        with pytest.raises(RuntimeError, match="Attempted to use a closed Session"):
            session.run(y, {x: np.ones(2)})
        with (
            tf.Session() as another,
            pytest.raises(tf.errors.UnavailableError, match="GPU:1 is lost"),
        ):
            another.run(y, {x: np.ones(2)})
        config = tf.ConfigProto(device_count={"GPU": 0}, allow_soft_placement=True)
        with tf.Session(config=config) as on_cpu:
            assert on_cpu.run(y, {x: np.ones(2)}).tolist() == [2, 2]


@pytest.mark.parametrize("status, kind", [(719, "UnavailableError"), (None, "InternalError")])
def test_library_error_reports_lost_gpu(gpus, monkeypatch, status, kind):
    """cuBLAS reports only a failure: the stream shows whether the GPU is lost, before the rest runs."""

    def failing(self, *arguments):
        if status is not None:
            gpus.lose(0, status)
        raise CublasError("cublasSgemm_v2", 13)

    went_on = []
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2, 2])
        with tf.device("/gpu:0"):
            product = tf.matmul(x, x)
        with tf.device("/cpu:0"):
            other = tf.py_func(lambda: went_on.append(1), [], [])
        session = tf.Session()
        monkeypatch.setattr(products.Products, "multiply", failing)
        with pytest.raises(getattr(tf.errors, kind), match=r"MatMul") as caught:
            session.run([product, other], {x: np.ones((2, 2))})
    if status is None:
        assert "CublasError: cublasSgemm_v2: execution failed (13)" in caught.value.message
        assert went_on == [1]
    else:
        assert "device:GPU:0 is lost: cudaErrorLaunchFailure" in caught.value.message
        assert "cublasSgemm_v2: execution failed (13)" in str(caught.value.__cause__.__cause__)
        with pytest.raises(RuntimeError, match="Attempted to use a closed Session"):
            session.run(product, {x: np.ones((2, 2))})


def test_lost_gpu_invalidates_callables_and_partial_runs(gpus):
    x = tf.placeholder(tf.float32, [None], name="x")
    with tf.device("/gpu:0"):
        y = tf.multiply(x, 2.0, name="y")
    first, second = tf.Session(), tf.Session()
    options = proto.CallableOptions(feed=["x:0"], fetch=["y:0"])
    step = first._make_callable_from_options(options)
    assert step(np.ones(2))[0].tolist() == [2, 2]
    handle = second.partial_run_setup([y], [x])
    gpus.lose(0)
    for session, call in (
        (first, lambda: step(np.ones(2))),
        (second, lambda: second.partial_run(handle, y, {x: np.ones(2)})),
    ):
        with pytest.raises(tf.errors.UnavailableError, match="lost"):
            call()
        with pytest.raises(RuntimeError, match="Attempted to use a closed Session"):
            session.run(y, {x: np.ones(2)})


def test_gpu_session_in_forked_child_is_rejected(gpus, monkeypatch):
    with tf.Graph().as_default():
        doubled = tf.multiply(tf.placeholder_with_default(tf.random_uniform([2]), [2]), 2.0)
        session = tf.Session()
        session.run(doubled)
    parent = os.getpid()
    monkeypatch.setattr(discovery.os, "getpid", lambda: parent + 1)
    with pytest.raises(tf.errors.FailedPreconditionError) as caught:
        tf.Session(graph=tf.Graph())
    assert caught.value.message.startswith(
        f"This process was forked from process {parent}, which had"
    )
    with pytest.raises(
        tf.errors.FailedPreconditionError, match="This process was forked from process"
    ):
        session.run(doubled)
    tf.Session(graph=tf.Graph(), config=tf.ConfigProto(device_count={"GPU": 0})).close()


def test_unplaceable_node_fails_later_runs():
    with tf.Graph().as_default(), tf.Session() as session:
        one = tf.constant(1.0)
        assert session.run(one) == 1
        with tf.device("/job:far"):
            tf.no_op(name="lost")
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match="for operation lost"):
                session.run(one)
