"""Kernels in PyTorch's layout: their detection, and equal results to TensorFlow's."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.programs.cli.kernel_layouts import Transposition, torch_layouts

RNG = np.random.default_rng(0)


def draw(*shape):
    return RNG.standard_normal(shape).astype("f")


def computed(make, x, kernel):
    """The result of an op, and its kernel in PyTorch's layout, found through the graph."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        variable = tf.get_variable("any_name", initializer=kernel)
        y = make(tf.constant(x), variable)
        session.run(variable.initializer)
        way = torch_layouts({"any_name": kernel.shape}, graph.as_graph_def())["any_name"]
        turned = way.permute(kernel)
        np.testing.assert_array_equal(way.undone(turned), kernel)
        return session.run(y), turned


def windows(x, *sizes):
    """[batch, ..., channels] as [batch, channels, ..., *sizes]: the inputs of each kernel element."""
    x = np.moveaxis(x, -1, 1)
    return np.lib.stride_tricks.sliding_window_view(x, sizes, tuple(range(2, x.ndim)))


def test_dense():
    x, kernel = draw(2, 3), draw(3, 4)
    y, weight = computed(tf.matmul, x, kernel)
    np.testing.assert_allclose(y, x @ weight.T, 1e-5)  # torch.nn.functional.linear


@pytest.mark.parametrize("letters", ["h", "hw", "dhw"])
def test_convolution(letters):
    make = {"h": tf.nn.conv1d, "hw": tf.nn.conv2d, "dhw": tf.nn.conv3d}[letters]
    strides = 1 if letters == "h" else [1] * (len(letters) + 2)
    x, kernel = draw(2, *[5] * len(letters), 3), draw(*[2] * len(letters), 3, 4)
    y, weight = computed(lambda x, k: make(x, k, strides, "VALID"), x, kernel)
    positions = letters.upper()
    formula = f"nc{positions}{letters},oc{letters}->n{positions}o"
    expected = np.einsum(formula, windows(x, *kernel.shape[:-2]), weight)
    np.testing.assert_allclose(y, expected, 1e-4, 1e-5)


def test_transposed_convolution():
    x, kernel = draw(2, 4, 4, 3), draw(2, 2, 5, 3)
    y, weight = computed(
        lambda x, k: tf.nn.conv2d_transpose(x, k, [2, 8, 8, 5], [1, 2, 2, 1], "VALID"), x, kernel
    )
    expected = np.einsum("nhwi,iokl->nhkwlo", x, weight).reshape(2, 8, 8, 5)
    np.testing.assert_allclose(y, expected, 1e-4, 1e-5)


def test_depthwise_convolution():
    x, kernel = draw(2, 5, 5, 3), draw(2, 2, 3, 2)
    y, weight = computed(
        lambda x, k: tf.nn.depthwise_conv2d(x, k, [1, 1, 1, 1], "VALID"), x, kernel
    )
    assert weight.shape == (6, 1, 2, 2)
    seen = np.repeat(windows(x, 2, 2), 2, axis=1)  # of each of its groups
    np.testing.assert_allclose(y, np.einsum("nohwkl,okl->nhwo", seen, weight[:, 0]), 1e-4, 1e-5)


def test_graph_overrides_name_heuristics():
    with tf.Graph().as_default() as graph:
        table = tf.get_variable("kernel", [5, 3])  # a table with the name of a kernel
        weights = tf.get_variable("W", [3, 5], use_resource=True)
        rows = tf.matmul(tf.nn.embedding_lookup(table, [0, 1]), weights)
        out = tf.matmul(rows @ tf.ones([5, 3]), table, transpose_b=True)
        tf.train.AdamOptimizer().minimize(tf.reduce_sum(out))
    shapes = {v.op.name: tuple(v.shape.as_list()) for v in graph.get_collection("variables")}
    assert sorted(torch_layouts(shapes, graph.as_graph_def())) == ["W", "W/Adam", "W/Adam_1"]


def test_layouts_from_names_without_graph():
    shapes = {
        "dense/kernel": (3, 4),
        "dense/kernel/Adam": (3, 4),
        "dense/kernel/row": (3,),
        "dense/bias": (4,),
        "conv1/weights": (3, 3, 2, 4),
        "sep/depthwise_kernel": (3, 3, 2, 2),
        "lstm/recurrent_kernel_1": (4, 16),
        "model/layer-1/kernel/.ATTRIBUTES/VARIABLE_VALUE": (3, 4),
        "embedding/embeddings": (9, 4),
        "norm/kernel": (4,),
        "colonel": (3, 4),
    }
    result = {name: way.result for name, way in torch_layouts(shapes, None).items()}
    assert result == {
        "dense/kernel": (4, 3),
        "dense/kernel/Adam": (4, 3),
        "conv1/weights": (4, 2, 3, 3),
        "sep/depthwise_kernel": (4, 1, 3, 3),
        "lstm/recurrent_kernel_1": (16, 4),
        "model/layer-1/kernel/.ATTRIBUTES/VARIABLE_VALUE": (4, 3),
    }


def test_transposition_round_trip():
    way = Transposition((2, 3, 0, 1), (3, 2, 4, 5), (20, 1, 3, 2))
    array = np.arange(120).reshape(3, 2, 4, 5)
    turned = way.permute(array)
    assert turned[2 * 5 + 3, 0, 1, 1] == array[1, 1, 2, 3]
    np.testing.assert_array_equal(way.undone(turned), array)
