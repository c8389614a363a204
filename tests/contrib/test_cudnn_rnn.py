"""Layers of cuDNN's nets, on the strict fake, and the cells that take over from them on a CPU, through checkpoints."""

import numpy as np
import pytest

import tfmini as tf
from tests.gpus import fake_gpus

cudnn = tf.contrib.cudnn_rnn
X = np.random.RandomState(2).randn(4, 2, 3).astype("f")
LAYERS = {
    "lstm": (cudnn.CudnnLSTM, cudnn.CudnnCompatibleLSTMCell),
    "gru": (cudnn.CudnnGRU, cudnn.CudnnCompatibleGRUCell),
    "tanh": (cudnn.CudnnRNNTanh, tf.nn.rnn_cell.BasicRNNCell),
    "relu": (
        cudnn.CudnnRNNRelu,
        lambda units: tf.nn.rnn_cell.BasicRNNCell(units, activation=tf.nn.relu),
    ),
}


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    with tf.Graph().as_default():
        yield


def of_layer(kind, path, restores=False, **options):
    """The outputs of a layer, on a GPU, whose variables are saved before, or restored."""
    start = tf.random_normal_initializer(seed=4)
    layer = LAYERS[kind][0](
        2, 3, kernel_initializer=start, bias_initializer=start, name="net", **options
    )
    outputs, _ = layer(tf.constant(X), training=False)
    saver = tf.train.Saver([layer.saveable] if restores else None)  # cells have no opaque variable
    with fake_gpus(devices=1), tf.Session() as session:
        if restores:
            saver.restore(session, path)
        else:
            session.run(tf.global_variables_initializer())
            saver.save(session, path)
        return session.run(outputs)


def of_cells(kind, path, saves=False, both=False):
    """The outputs of cells, on a CPU, whose variables are restored before, or saved."""
    cell = LAYERS[kind][1]
    x = tf.constant(X.swapaxes(0, 1))
    start = tf.random_normal_initializer(seed=6)
    with tf.variable_scope("net", initializer=start):  # the layer's name
        if both:
            outputs, _, _ = tf.contrib.rnn.stack_bidirectional_dynamic_rnn(
                [cell(3), cell(3)], [cell(3), cell(3)], x, dtype=tf.float32
            )
        else:
            stack = tf.nn.rnn_cell.MultiRNNCell([cell(3), cell(3)])
            outputs, _ = tf.nn.dynamic_rnn(stack, x, dtype=tf.float32)
    saver = tf.train.Saver()
    with tf.Session() as session:
        if saves:
            session.run(tf.global_variables_initializer())
            saver.save(session, path)
        else:
            saver.restore(session, path)
        return session.run(outputs).swapaxes(0, 1)


def fresh(function, *args, **options):
    with tf.Graph().as_default():
        return function(*args, **options)


@pytest.mark.parametrize("kind", LAYERS)
def test_cells_take_over_from_a_layer(kind, tmp_path):
    path = str(tmp_path / "model")
    trained = fresh(of_layer, kind, path)
    np.testing.assert_allclose(fresh(of_cells, kind, path), trained, rtol=1e-4, atol=1e-5)


def test_a_layer_takes_over_from_cells_in_both_directions(tmp_path):
    path = str(tmp_path / "model")
    wanted = fresh(of_cells, "gru", path, saves=True, both=True)
    found = fresh(of_layer, "gru", path, restores=True, direction="bidirectional")
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def test_a_skipped_product_is_an_identity_in_cells(tmp_path):
    path = str(tmp_path / "model")
    trained = fresh(of_layer, "lstm", path, input_mode="skip_input")
    np.testing.assert_allclose(fresh(of_cells, "lstm", path), trained, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("projected", [None, 2])
def test_a_buffer_comes_back_from_its_conversion(projected):
    """The sum of the two biases of a gate, that is: each is half of it afterwards."""
    converter = cudnn.CudnnParamsFormatConverterLSTM(1, 3, 4, num_proj=projected)
    size = 4 * 3 * (4 + (projected or 3) + 2) + 3 * (projected or 0)
    params = np.arange(size, dtype="f")
    *parts, projections = [*converter.opaque_to_tf_canonical(tf.constant(params)), None][:3]
    again = converter.tf_canonical_to_opaque(parts[0] + parts[1], projections)
    with fake_gpus(devices=1), tf.Session() as session:
        found = session.run(again)
    np.testing.assert_array_equal(found[:-24], params[:-24])
    biases, given = (value[-24:].reshape(2, -1) for value in (found, params))
    np.testing.assert_array_equal(biases[0], biases[1])
    np.testing.assert_array_equal(biases.sum(0), given.sum(0))


def test_a_cpu_has_no_kernel():
    outputs, _ = cudnn.CudnnLSTM(1, 2)(tf.constant(X))
    with tf.Session() as session:
        message = "No OpKernel was registered to support Op 'CudnnRNNCanonicalToParams'"
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            session.run(tf.global_variables_initializer())


def test_what_a_layer_refuses():
    with pytest.raises(ValueError, match="Invalid direction: backwards"):
        cudnn.CudnnGRU(1, 2, direction="backwards")
    with pytest.raises(ValueError, match="Invalid input_mode: none"):
        cudnn.CudnnGRU(1, 2, input_mode="none")
    with pytest.raises(ValueError, match="Only support float16, float32, float64"):
        cudnn.CudnnGRU(1, 2, dtype=tf.int32)
    layer = cudnn.CudnnLSTM(1, 2)
    with pytest.raises(RuntimeError, match="invoked before input shape is known"):
        _ = layer.canonical_weight_shapes
    with pytest.raises(ValueError, match="'input_size' is unknown"):
        _ = layer.input_size
    with pytest.raises(ValueError, match="Expecting input_shape with 3 dims, got 2"):
        layer.build([2, 3])
    with pytest.raises(TypeError, match="Invalid initial_state type"):
        layer(tf.constant(X), initial_state=tf.zeros([1, 2, 2]))
