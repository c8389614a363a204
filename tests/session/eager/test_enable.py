"""`enable_eager_execution`: TensorFlow 1.15.5's errors."""

import pytest

import tfmini as tf
from tfmini._src.graph.eager import execution_mode
from tfmini._src.session.eager.context import context, drop_context

POLICY = "^device_policy must be one of None, tf.contrib.eager.DEVICE_PLACEMENT_"
MODE = "^execution_mode must be one of None, tf.contrib.eager.SYNC, tf.contrib.eager.ASYNC$"


@pytest.fixture(autouse=True)
def restore_context(monkeypatch):
    monkeypatch.setattr(execution_mode, "is_default", execution_mode.is_default)
    drop_context()
    yield
    drop_context()


@pytest.mark.parametrize(
    "options, kind, text",
    [
        ({"config": {}}, TypeError, "^config must be a tf.ConfigProto, but got <class 'dict'>$"),
        ({"device_policy": 7}, ValueError, POLICY),
        ({"execution_mode": 7}, ValueError, MODE),
    ],
)
def test_invalid_arguments(options, kind, text):
    with pytest.raises(kind, match=text):
        tf.enable_eager_execution(**options)
    assert not execution_mode.is_default


def test_enabling_requires_empty_graph():
    tf.constant(1.0)
    with pytest.raises(
        ValueError, match="^tf.enable_eager_execution must be called at program startup.$"
    ):
        tf.enable_eager_execution()
    tf.reset_default_graph()
    tf.enable_eager_execution()
    assert tf.executing_eagerly()


@pytest.mark.parametrize(
    "options",
    [
        {"config": tf.ConfigProto(inter_op_parallelism_threads=3)},
        {"device_policy": tf.contrib.eager.DEVICE_PLACEMENT_EXPLICIT},
        {"execution_mode": tf.contrib.eager.ASYNC},
    ],
)
def test_conflicting_options_are_rejected(monkeypatch, options):
    monkeypatch.setattr(execution_mode, "is_default", True)
    tf.enable_eager_execution(**options)
    ((name, value),) = options.items()
    assert getattr(context(), name) == value
    tf.enable_eager_execution(**options)
    tf.enable_eager_execution()
    for other in ({"config": tf.ConfigProto()}, {"device_policy": 1}, {"execution_mode": 0}):
        if getattr(context(), *other) != next(iter(other.values())):
            with pytest.raises(
                ValueError, match="^Trying to change the options of an active eager"
            ):
                tf.enable_eager_execution(**other)
    assert getattr(context(), name) == value
