"""Loss scaling: graph rewrites, invalid arguments; scenes/distribute_programs.py trains."""

import pytest

import tfmini as tf
from tfmini._src.base import proto
from tfmini._src.session import default_config
from tfmini._src.session.eager.enable import eager_mode

experimental = tf.train.experimental


@pytest.fixture(autouse=True)
def _no_rewrite():
    default_config.forget()
    yield
    default_config.forget()


def toggle_of(session):
    return session._config.graph_options.rewrite_options.auto_mixed_precision


def test_graph_rewrite_wraps_optimizer_for_later_sessions(monkeypatch):
    messages = []
    monkeypatch.setattr("tfmini._src.base.logs.warning", messages.append)
    on, off = proto.RewriterConfig.ON, proto.RewriterConfig.OFF
    refused = tf.ConfigProto()
    refused.graph_options.rewrite_options.auto_mixed_precision = off
    with tf.Graph().as_default():
        opt = tf.train.AdamOptimizer()
        wrapped = experimental.enable_mixed_precision_graph_rewrite(opt, 4)
        assert not messages
        assert isinstance(wrapped, experimental.MixedPrecisionLossScaleOptimizer)
        with pytest.raises(ValueError, match="must not already be"):
            experimental.enable_mixed_precision_graph_rewrite(wrapped)
        config = tf.ConfigProto(allow_soft_placement=True)
        with tf.Session() as plain, tf.Session(config=config) as other:
            assert toggle_of(plain) == toggle_of(other) == on
            assert other._config.allow_soft_placement
        assert config == tf.ConfigProto(allow_soft_placement=True)
        with tf.Session(config=refused) as session:
            assert toggle_of(session) == off
        experimental.disable_mixed_precision_graph_rewrite()
        with tf.Session() as session:
            assert toggle_of(session) == off
        experimental.enable_mixed_precision_graph_rewrite(opt)
    assert len(messages) == 1 and "You already have existing Sessions" in messages[0]


def test_keras_optimizer_receives_keras_loss_scaling():
    with tf.Graph().as_default():
        opt = tf.keras.optimizers.SGD(0.5)
        wrapped = experimental.enable_mixed_precision_graph_rewrite(opt, 8.0)
        experimental.disable_mixed_precision_graph_rewrite()
        assert type(wrapped) is tf.keras.mixed_precision.experimental.LossScaleOptimizer
        assert str(wrapped.loss_scale) == "FixedLossScale(8.0)"
        with pytest.raises(
            ValueError, match='"opt" must not already be an instance of a LossScale'
        ):
            experimental.enable_mixed_precision_graph_rewrite(wrapped)


def test_dynamic_scale_repr_in_eager_mode():
    with eager_mode():
        scale = experimental.DynamicLossScale(1, increment_period=2, multiplier=3)
        assert str(scale) == (
            "DynamicLossScale(current_loss_scale=1.0, num_good_steps=0, initial_loss_scale=1.0, "
            "increment_period=2, multiplier=3.0)"
        )
