"""Weight conversion between cuDNN and portable recurrent layers, in both directions: the outputs stay the same."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.models.keras.saving.weight_conversion import preprocess_weights_for_loading

layers = tf.keras.layers
X = np.random.RandomState(0).randn(2, 4, 3).astype("f")
PLAIN = {
    "LSTM": lambda **options: layers.LSTM(5, recurrent_activation="sigmoid", **options),
    "GRU": lambda **options: layers.GRU(
        5, recurrent_activation="sigmoid", reset_after=True, **options
    ),
}
BY_CUDNN = {
    "LSTM": lambda **options: layers.CuDNNLSTM(5, **options),
    "GRU": lambda **options: layers.CuDNNGRU(5, **options),
}


@pytest.fixture(autouse=True)
def gpus(gpu_environment):
    with fake_gpus(devices=1), tf.Graph().as_default():
        yield


def network(layer):
    return tf.keras.Sequential([tf.keras.Input((4, 3)), layer])


def drawn(model):
    """Random weights: a model's initial biases are zeros."""
    random = np.random.RandomState(1)
    return [random.randn(*value.shape).astype("f") for value in model.get_weights()]


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
@pytest.mark.parametrize("wrap", [lambda layer: layer, layers.Bidirectional, network])
def test_outputs_are_preserved(kind, wrap):
    source, target = (network(wrap(created[kind]())) for created in (BY_CUDNN, PLAIN))
    weights = drawn(source)
    source.set_weights(weights)
    target.set_weights(preprocess_weights_for_loading(target, weights))
    np.testing.assert_allclose(target.predict(X), source.predict(X), rtol=1e-4, atol=1e-5)
    # And back: only the sum of an LSTM's biases is known.
    source.set_weights(preprocess_weights_for_loading(source, target.get_weights()))
    np.testing.assert_allclose(target.predict(X), source.predict(X), rtol=1e-4, atol=1e-5)


def test_layers_in_time_distributed():
    inner = network(layers.CuDNNLSTM(5))
    outer = layers.TimeDistributed(layers.LSTM(5))
    weights = drawn(inner)
    plain = preprocess_weights_for_loading(layers.LSTM(5), weights)
    for actual, expected in zip(preprocess_weights_for_loading(outer, weights), plain):
        np.testing.assert_array_equal(actual, expected)


def test_non_trainable_weights_keep_their_position():
    def made(layer):
        return network(tf.keras.Sequential([layers.BatchNormalization(), layer]))

    source, target = made(layers.CuDNNLSTM(5)), made(PLAIN["LSTM"]())
    retained = [
        np.random.RandomState(2).rand(*variable.shape.as_list()).astype("f")
        for variable in source.trainable_weights + source.non_trainable_weights
    ]
    for model, values in (
        (source, retained),
        (target, preprocess_weights_for_loading(target, retained)),
    ):
        variables = model.trainable_weights + model.non_trainable_weights
        tf.keras.backend.batch_set_value(list(zip(variables, values)))
    np.testing.assert_allclose(target.predict(X), source.predict(X), rtol=1e-4, atol=1e-5)


def weights(gates, *bias):
    return [np.ones([3, 5 * gates]), np.ones([5, 5 * gates]), np.ones(bias)]


def test_weights_without_bias_are_not_converted():
    unbiased = weights(4, 20)[:2]
    assert preprocess_weights_for_loading(layers.LSTM(5), unbiased) is unbiased


@pytest.mark.parametrize(
    "layer, inputs, message",
    [
        (
            layers.GRU(5),
            weights(3, 30),
            r"CuDNNGRU is not compatible with GRU\(reset_after=False\)",
        ),
        (
            layers.GRU(5, reset_after=True),
            weights(3, 15),
            r"GRU\(reset_after=False\) is not compatible with GRU\(reset_after=True\)",
        ),
        (
            layers.CuDNNGRU(5),
            weights(3, 15),
            r"GRU\(reset_after=False\) is not compatible with CuDNNGRU",
        ),
        (layers.LSTM(5), weights(4, 7), r"Invalid bias shape: \(7,\)"),
        (layers.CuDNNGRU(5), weights(3, 7), r"Invalid bias shape: \(7,\)"),
    ],
)
def test_mismatched_weights(layer, inputs, message):
    with pytest.raises(ValueError, match=message):
        preprocess_weights_for_loading(layer, inputs)


@pytest.mark.parametrize("by_name", [False, True])
def test_weight_files(tmp_path, by_name):
    pytest.importorskip("h5py")
    source = network(layers.CuDNNLSTM(5, name="lstm"))
    target = network(PLAIN["LSTM"](name="lstm"))
    source.set_weights(drawn(source))
    source.save_weights(str(tmp_path / "weights.h5"))
    target.load_weights(str(tmp_path / "weights.h5"), by_name=by_name)
    np.testing.assert_allclose(target.predict(X), source.predict(X), rtol=1e-4, atol=1e-5)


def test_weight_files_of_nested_networks(tmp_path):
    """In TensorFlow 1.15.5's order: trainable weights come first."""
    h5py = pytest.importorskip("h5py")
    inner = [layers.BatchNormalization(input_shape=(4, 3), name="norm"), PLAIN["LSTM"](name="lstm")]
    model = tf.keras.Sequential([layers.InputLayer((4, 3)), tf.keras.Sequential(inner, "inner")])
    before = [value + index for index, value in enumerate(model.get_weights())]
    model.set_weights(before)
    model.save_weights(str(tmp_path / "weights.h5"))
    with h5py.File(tmp_path / "weights.h5", "r") as file:
        names = [name.decode() for name in file["inner"].attrs["weight_names"]]
    assert names == [
        *("norm/gamma:0", "norm/beta:0", "lstm/kernel:0", "lstm/recurrent_kernel:0", "lstm/bias:0"),
        *("norm/moving_mean:0", "norm/moving_variance:0"),
    ]
    model.set_weights([0 * value for value in before])
    model.load_weights(str(tmp_path / "weights.h5"))
    for actual, expected in zip(model.get_weights(), before):
        np.testing.assert_array_equal(actual, expected)
