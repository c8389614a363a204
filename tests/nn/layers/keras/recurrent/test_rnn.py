"""Recurrent layers against numpy: masked steps, states kept between batches."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

layers = tf.keras.layers


def _simple(x, kernel, recurrent, bias, state, mask=None):
    """A SimpleRNN's last state; masked steps keep it unchanged."""
    for t in range(x.shape[1]):
        new = np.tanh(x[:, t] @ kernel + bias + state @ recurrent)
        state = new if mask is None else np.where(mask[:, t, None], new, state)
    return state


def _series(rows=2, steps=4, size=3):
    return np.random.RandomState(0).rand(rows, steps, size).astype(np.float32)


@pytest.mark.parametrize("unroll", [False, True])
def test_masked_steps(unroll):
    x = _series()
    x[0, 2:] = x[1, 1] = 0
    model = tf.keras.Sequential(
        [layers.Masking(input_shape=(4, 3)), layers.SimpleRNN(5, unroll=unroll)]
    )
    expected = _simple(x, *model.get_weights(), np.zeros((2, 5)), (x != 0).any(-1))
    np.testing.assert_allclose(model.predict(x), expected, rtol=1e-5, atol=1e-6)


def test_stateful():
    x = _series()
    model = tf.keras.Sequential([layers.SimpleRNN(5, stateful=True, batch_input_shape=(2, 4, 3))])
    first = _simple(x, *model.get_weights(), np.zeros((2, 5)))
    second = _simple(x, *model.get_weights(), first)
    np.testing.assert_allclose(model.predict(x, batch_size=2), first, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(model.predict(x, batch_size=2), second, rtol=1e-5, atol=1e-6)
    model.reset_states()
    np.testing.assert_allclose(model.predict(x, batch_size=2), first, rtol=1e-5, atol=1e-6)
    model.layers[0].reset_states(first.astype(np.float32))
    np.testing.assert_allclose(model.predict(x, batch_size=2), second, rtol=1e-5, atol=1e-6)


def test_state_shape_mismatch():
    layer = layers.LSTM(5, stateful=True)
    layer(tf.keras.Input(batch_shape=(2, 4, 3)))
    with pytest.raises(ValueError, match="expects 2 states, but it received 1"):
        layer.reset_states(np.zeros((2, 5)))
    with pytest.raises(ValueError, match="State 1 is incompatible"):
        layer.reset_states([np.zeros((2, 5)), np.zeros((2, 4))])
    with pytest.raises(AttributeError, match="must be stateful"):
        layers.LSTM(5).reset_states()
    with pytest.raises(ValueError, match="needs to know its batch size"):
        layers.LSTM(5, stateful=True)(tf.keras.Input((4, 3)))


class _Shifted(layers.Layer):
    """A cell whose output is the sum of the state, the inputs and a constant."""

    state_size = 3

    def call(self, inputs, states, constants=None):
        output = states[0] + inputs + constants[0]
        return output, [output]


def test_constants():
    x, shift = _series(), np.ones((2, 3), np.float32)
    inputs, constant = tf.keras.Input((4, 3)), tf.keras.Input((3,))
    output = layers.RNN(_Shifted())(inputs, constants=constant)
    model = tf.keras.Model([inputs, constant], output)
    np.testing.assert_allclose(model.predict([x, shift]), x.sum(1) + 4, rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="does not support constants"):
        layers.RNN(layers.SimpleRNNCell(3))(inputs, constants=constant)


def test_time_distributed():
    x = _series()
    model = tf.keras.Sequential([layers.TimeDistributed(layers.Dense(2), input_shape=(4, 3))])
    kernel, bias = model.get_weights()
    np.testing.assert_allclose(model.predict(x), x @ kernel + bias, rtol=1e-5, atol=1e-6)
    restored = tf.keras.Sequential.from_config(model.get_config())
    assert [w.shape for w in restored.get_weights()] == [(3, 2), (2,)]


class _Sum(layers.AbstractRNNCell):
    state_size = output_size = 3

    def call(self, inputs, states):
        total = states[0] + inputs
        return total, [total]


def test_user_cell():
    x = _series()
    model = tf.keras.Sequential([layers.RNN(_Sum(), return_sequences=True, input_shape=(4, 3))])
    np.testing.assert_allclose(model.predict(x), x.cumsum(1), rtol=1e-5, atol=1e-6)


class Sum(tf.keras.layers.Layer):
    """a @ kernel + b + state."""

    state_size = 2

    def build(self, shape):
        self.kernel = self.add_weight("kernel", [3, 2], initializer="ones")
        super().build(shape)

    def call(self, inputs, states):
        a, b = (inputs[k] for k in ("a", "b")) if isinstance(inputs, dict) else inputs
        out = a @ self.kernel + b + states[0]
        return out, [out]


@pytest.mark.parametrize("structure", [dict, tuple])
def test_nested_inputs(structure):
    values = _series(), np.ones((2, 4, 2), "f")
    pair = [tf.constant(value) for value in values]
    inputs = {"a": pair[0], "b": pair[1]} if structure is dict else tuple(pair)
    layer = layers.RNN(Sum())
    out = layer(inputs)
    assert [[spec.shape for spec in tf.nest.flatten(s)] for s in layer.input_spec] == [
        [(None, None, 3), (None, None, 2)]
    ]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        result = session.run(out)
    np.testing.assert_allclose(
        result, values[0].sum((1, 2), keepdims=True)[:, 0] + [4, 4], rtol=1e-5
    )
