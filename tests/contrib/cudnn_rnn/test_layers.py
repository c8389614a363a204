"""cuDNN RNN layers on the strict fake, and the CPU cells that replace them, through checkpoints."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.train.object_checkpoint.object_graph import object_graph_message, walk

pytestmark = pytest.mark.usefixtures("gpu_environment")

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


def of_layer(kind, path, restores=False, **options):
    """The outputs of a layer on a GPU, after saving or restoring its variables."""
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
    """The outputs of cells on a CPU, after restoring or saving their variables."""
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
def test_cells_restore_layer_checkpoint(kind, tmp_path):
    path = str(tmp_path / "model")
    trained = fresh(of_layer, kind, path)
    np.testing.assert_allclose(fresh(of_cells, kind, path), trained, rtol=1e-4, atol=1e-5)


def test_bidirectional_layer_restores_cell_checkpoint(tmp_path):
    path = str(tmp_path / "model")
    expected = fresh(of_cells, "gru", path, saves=True, both=True)
    result = fresh(of_layer, "gru", path, restores=True, direction="bidirectional")
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5)


def test_skip_input_is_identity_in_cells(tmp_path):
    path = str(tmp_path / "model")
    trained = fresh(of_layer, "lstm", path, input_mode="skip_input")
    np.testing.assert_allclose(fresh(of_cells, "lstm", path), trained, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("projected", [None, 2])
def test_parameter_conversion_round_trip(projected):
    """Up to the split of a gate's two biases: each becomes half of their sum."""
    converter = cudnn.CudnnParamsFormatConverterLSTM(1, 3, 4, num_proj=projected)
    size = 4 * 3 * (4 + (projected or 3) + 2) + 3 * (projected or 0)
    params = np.arange(size, dtype="f")
    *parts, projections = [*converter.opaque_to_tf_canonical(tf.constant(params)), None][:3]
    repeated = converter.tf_canonical_to_opaque(parts[0] + parts[1], projections)
    with fake_gpus(devices=1), tf.Session() as session:
        result = session.run(repeated)
    np.testing.assert_array_equal(result[:-24], params[:-24])
    biases, collected = (value[-24:].reshape(2, -1) for value in (result, params))
    np.testing.assert_array_equal(biases[0], biases[1])
    np.testing.assert_array_equal(biases.sum(0), collected.sum(0))


def test_cpu_has_no_kernel():
    outputs, _ = cudnn.CudnnLSTM(1, 2)(tf.constant(X))
    with tf.Session() as session:
        message = "No OpKernel was registered to support Op 'CudnnRNNCanonicalToParams'"
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            session.run(tf.global_variables_initializer())


# Checkpoints of objects -------------------------------------------------------------------------------


def objects_of(net):
    """The children of each object in a checkpoint, and the keys of its values."""
    message, _ = object_graph_message(walk(tf.train.Checkpoint(net=net)))
    children = [[(c.local_name, c.node_id) for c in node.children] for node in message.nodes]
    keys = [a.checkpoint_key for node in message.nodes for a in node.attributes]
    return children, keys


def test_object_graph():
    """As in TensorFlow 1.15.5: kernel and bias of the layer itself, and of its cell."""
    layer = cudnn.CudnnLSTM(1, 3)
    layer(tf.constant(X))
    assert objects_of(layer) == (
        [
            [("net", 1)],
            [("kernel", 2), ("bias", 3), ("cell-0", 4)],
            [],
            [],
            [("bias", 3), ("kernel", 2)],
        ],
        [f"net/{name}/.ATTRIBUTES/VARIABLE_VALUE" for name in ("kernel", "bias")],
    )


def lstm_layer(count, path, restores):
    """The outputs of a layer on a GPU, after saving or restoring it as an object."""
    start = tf.random_normal_initializer(seed=4)
    layer = cudnn.CudnnLSTM(count, 3, kernel_initializer=start, bias_initializer=start)
    outputs, _ = layer(tf.constant(X), training=False)
    checkpoint = tf.train.Checkpoint(net=layer)
    with fake_gpus(devices=1), tf.Session() as session:
        session.run(tf.global_variables_initializer())
        if restores:
            checkpoint.restore(path).assert_consumed().run_restore_ops(session)
        else:
            path = checkpoint.save(path, session=session)
        return session.run(outputs), path


def lstm_cells(count, path, restores):
    """The same of cells, on a CPU."""
    cells = [cudnn.CudnnCompatibleLSTMCell(3) for _ in range(count)]
    cell = cells[0] if count == 1 else tf.nn.rnn_cell.MultiRNNCell(cells)
    start = tf.random_normal_initializer(seed=6)
    with tf.variable_scope("other", initializer=start):
        outputs, _ = tf.nn.dynamic_rnn(cell, tf.constant(X), dtype=tf.float32, time_major=True)
    checkpoint = tf.train.Checkpoint(net=cell)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        if restores:
            checkpoint.restore(path).expect_partial().run_restore_ops(session)
        else:
            path = checkpoint.save(path, session=session)
        return session.run(outputs), path


@pytest.mark.parametrize("count", [1, 2])
def test_object_checkpoints_are_exchanged(count, tmp_path):
    """Cells restore what a layer saves, and vice versa."""
    expected, path = lstm_layer(count, str(tmp_path / "layer"), False)
    with tf.Graph().as_default():
        result, _ = lstm_cells(count, path, True)
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
    with tf.Graph().as_default():
        result, _ = lstm_layer(count, path, True)
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
    if count > 1:  # with one, cells have no cell-0
        with tf.Graph().as_default():
            expected, path = lstm_cells(count, str(tmp_path / "cells"), False)
        with tf.Graph().as_default():
            result, _ = lstm_layer(count, path, True)
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "layer, message",
    [
        (lambda: cudnn.CudnnGRU(1, 3), "This cell does not yet support object-based saving"),
        (
            lambda: cudnn.CudnnLSTM(1, 3, direction="bidirectional"),
            "Object-based saving does not currently support bidirectional LSTM cells",
        ),
    ],
)
def test_unsupported_object_checkpoints(layer, message):
    output = layer()
    output(tf.constant(X))
    with pytest.raises(NotImplementedError, match=message):
        objects_of(output)
