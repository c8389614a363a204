"""Dtype policies, and loss scaling optimizers."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.keras.mixed_precision.policy import policy_scope
from tfmini._src.session.default_config import REWRITES

mixed = tf.keras.mixed_precision.experimental


@pytest.fixture(autouse=True)
def _as_before():
    tf.keras.backend.clear_session()
    REWRITES.enabled = False
    yield
    REWRITES.enabled = False
    mixed.set_policy(None)
    tf.keras.backend.clear_session()


@pytest.mark.parametrize(
    "name, computed, kept",
    [
        ("float32", "float32", "float32"),
        ("float32_with_float32_vars", "float32", "float32"),
        ("mixed_bfloat16", "bfloat16", "float32"),
        ("float16_with_float32_vars", "float16", "float32"),
        ("infer", None, None),
        ("infer_float32_vars", None, "float32"),
    ],
)
def test_dtypes_by_policy_name(name, computed, kept):
    policy = mixed.Policy(name)
    assert (policy.compute_dtype, policy.variable_dtype) == (computed, kept)
    assert policy.should_cast_variables == (computed != kept)
    assert policy.loss_scale is None


def test_float16_policy_scales_dynamically():
    policy = mixed.Policy("mixed_float16")
    assert isinstance(policy.loss_scale, tf.train.experimental.DynamicLossScale)
    fixed = mixed.Policy("mixed_float16", loss_scale=3.0)
    assert repr(fixed) == '<Policy "mixed_float16", loss_scale=FixedLossScale(3.0)>'


def test_invalid_policy_names():
    with pytest.raises(ValueError, match="nope cannot be converted to a DType"):
        mixed.Policy("nope_with_float32_vars")
    with pytest.raises(TypeError, match="'name' must be a string, not a DType"):
        mixed.Policy(tf.float32)


def test_global_policy_infers_dtype():
    assert mixed.global_policy().name == "infer"
    with pytest.raises(ValueError, match="can only be set to a non-infer policy in TensorFlow 2"):
        mixed.set_policy("mixed_float16")
    mixed.set_policy("infer")
    sgd = tf.train.GradientDescentOptimizer(0.1)
    with pytest.raises(ValueError, match="because a keras mixed precision Policy has been set"):
        tf.train.experimental.enable_mixed_precision_graph_rewrite(sgd)
    mixed.set_policy(None)
    tf.train.experimental.enable_mixed_precision_graph_rewrite(sgd)
    with pytest.raises(ValueError, match="graph rewrite has already been enabled"):
        mixed.set_policy("infer")
    tf.train.experimental.disable_mixed_precision_graph_rewrite()
    mixed.set_policy("infer")


def test_policy_scope():
    with policy_scope("infer_with_float32_vars"):
        assert mixed.global_policy().name == "infer_with_float32_vars"
        layer = tf.keras.layers.Dense(2)
    assert mixed.global_policy().name == "infer"
    assert layer(tf.ones((4, 3), tf.float16)).dtype.name == "float16"
    signature = layer.compute_output_signature(tf.TensorSpec((4, 3), tf.float16))
    assert (signature.dtype, layer.kernel.dtype) == (tf.float16, tf.float32)


def test_layer_dtype_follows_policy():
    assert tf.keras.layers.Dense(2, dtype=mixed.Policy("float64")).dtype == "float64"
    assert tf.keras.layers.Dense(2, dtype=mixed.Policy("infer")).dtype is None


def test_variables_are_cast_to_compute_dtype():
    class Own(tf.keras.layers.Layer):
        def build(self, shape):
            self.rows = self.add_weight("rows", (3, 2), initializer="ones")
            self.fixed = self.add_weight("fixed", (2,), experimental_autocast=False)
            self.built = True

        def call(self, indices):
            reads = (self.rows, self.rows[0], self.rows.read_value(), self.rows.sparse_read([0]))
            self.seen = [tensor.dtype.name for tensor in (*reads, self.fixed, self.rows + 1)]
            return tf.gather(self.rows, indices) * 2

    layer = Own(dtype=mixed.Policy("mixed_float16"))
    assert layer(tf.constant([0, 2])).dtype is tf.float16
    assert layer.seen == ["float16"] * 4 + ["float32", "float16"]
    assert (layer.dtype, layer.get_config()["dtype"]) == ("float32", "float32")
    assert (layer.rows.dtype, layer.rows.true_dtype) == (tf.float32, tf.float32)
    assert repr(layer.rows).endswith("shape=(3, 2) dtype=float32 true_dtype=float32>")
    with tf.Session() as session:
        session.run(layer.rows.initializer)
        assert session.run(layer.rows.assign_add(np.ones((3, 2), "f"))).tolist() == [[2, 2]] * 3
        assert session.run(layer(tf.constant([1]))).tolist() == [[4, 4]]
    with pytest.raises(ValueError, match="must be a floating point variable but has type: int32"):
        tf.keras.layers.Layer(dtype=mixed.Policy("mixed_float16")).add_weight(
            "i", (), dtype="int32"
        )


@pytest.mark.parametrize(
    "name, computed", [("LayerNormalization", "float32"), ("Dense", "float16")]
)
def test_normalization_runs_in_variable_dtype(name, computed):
    options = {"units": 2} if name == "Dense" else {}
    layer = getattr(tf.keras.layers, name)(dtype=mixed.Policy("mixed_float16"), **options)
    assert layer(tf.ones((4, 3))).dtype.name == computed
    assert {weight.dtype.name for weight in layer.weights} == {"float32"}


def test_loss_scaling_requires_keras_optimizer():
    class Net(tf.keras.Model):
        pass

    model = Net(dtype=mixed.Policy("mixed_float16"))
    with pytest.raises(ValueError, match="must be an instance of tf.keras.optimizers.Optimizer"):
        model.compile(tf.train.AdamOptimizer(), "mse")


def test_infinite_gradient_skips_step():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    optimizer = mixed.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1), "dynamic")
    model.compile(optimizer, "mse")
    before = model.get_weights()
    model.train_on_batch(np.full((1, 2), np.inf, "f"), np.ones((1, 1), "f"))
    for was, now in zip(before, model.get_weights()):
        np.testing.assert_array_equal(was, now)
    assert tf.keras.backend.get_value(optimizer.loss_scale()) == 2.0**14
    model.train_on_batch(np.ones((1, 2), "f"), np.full((1, 1), 7, "f"))
    assert not np.array_equal(before[0], model.get_weights()[0])
    assert tf.keras.backend.get_value(optimizer.iterations) == 1


def test_unsupported_optimizers():
    with pytest.raises(ValueError, match="must be an instance of OptimizerV2"):
        mixed.LossScaleOptimizer(tf.train.AdamOptimizer(), 2.0)
    with pytest.raises(ValueError, match="does not support wrapping optimizers with a clipnorm"):
        mixed.LossScaleOptimizer(tf.keras.optimizers.SGD(clipnorm=1.0), 2.0)
    with pytest.raises(NotImplementedError, match="get_config"):
        mixed.LossScaleOptimizer(tf.keras.optimizers.SGD(), 2.0).get_config()
