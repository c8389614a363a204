"""Initializers: their ops, numbers (TensorFlow 1.15.5's for the same seeds), arguments and errors."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run
from tfmini._src.variables.save_slice_info import PartitionInfo

init = tf.initializers


# For shape [2, 3] and op seed 1.
GOLDEN = [
    (init.random_uniform(-1.0, 1.0, seed=1), [[-0.52193, 0.8408, -0.89898], [-0.00851, 0.67104, -0.94706]]),
    (init.random_normal(1.0, 2.0, seed=1), [[-0.62264, 3.9692, 1.13066], [-3.88541, 1.1985, 2.18245]]),
    (init.truncated_normal(stddev=0.5, seed=1), [[-0.40566, 0.7423, 0.03266], [0.04962, 0.31985, 0.80544]]),
    (init.uniform_unit_scaling(2.0, seed=1), [[-1.27845, 2.05953, -2.20203], [-0.02085, 1.64372, -2.31981]]),
    (init.glorot_uniform(seed=1), [[-0.57174, 0.92105, -0.98478], [-0.00932, 0.73509, -1.03745]]),
    (init.glorot_normal(seed=1), [[-0.58334, 1.06743, 0.04697], [0.07136, 0.45995, 1.15823]]),
    (init.he_normal(seed=1), [[-0.92234, 1.68776, 0.07427], [0.11283, 0.72724, 1.83131]]),
    (init.he_uniform(seed=1), [[-0.904, 1.45631, -1.55707], [-0.01474, 1.16228, -1.64035]]),
    (init.lecun_normal(seed=1), [[-0.6522, 1.19343, 0.05252], [0.07978, 0.51423, 1.29493]]),
    (init.lecun_uniform(seed=1), [[-0.63923, 1.02976, -1.10102], [-0.01042, 0.82186, -1.15991]]),
    (init.variance_scaling(3.0, "fan_out", "untruncated_normal", seed=1),
     [[-0.81132, 1.4846, 0.06533], [-2.4427, 0.09925, 0.59122]]),
    (init.orthogonal(2.0, seed=1), [[-1.97889, 0.15935, 0.24208], [-0.07405, -1.89311, 0.64081]]),
    (tf.contrib.layers.xavier_initializer(seed=1), [[-0.57174, 0.92105, -0.98478], [-0.00932, 0.73509, -1.03745]]),
]  # fmt: skip


@pytest.mark.parametrize(("initializer", "expected"), GOLDEN, ids=range(len(GOLDEN)))
def test_seeded_values(graph, initializer, expected):
    np.testing.assert_allclose(run(initializer([2, 3])), expected, atol=2e-5)


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("delta_orthogonal", [2, 1, 2], [[[0.99449, -0.10479]], [[0, 0]]]),
        ("delta_orthogonal", [1, 1, 2], [[[0.99449, -0.10479]]]),
        ("orthogonal_1d", [3, 1, 2], [[[0, 0]], [[0, 0]], [[0.99449, -0.10479]]]),
        ("orthogonal_2d", [2, 2, 1, 2], [[[[0, 0]], [[0, 0]]], [[[0, 0]], [[0.99449, -0.10479]]]]),
        ("orthogonal_3d", [1, 1, 1, 1, 1], [[[[[1.0]]]]]),
    ],
)
def test_convolution_kernels(graph, name, shape, expected):
    initializer = getattr(tf.contrib.framework, f"convolutional_{name}")(seed=3)
    np.testing.assert_allclose(run(initializer(shape)), expected, atol=2e-5)
    with pytest.raises(ValueError, match="^In_filters cannot be greater than out_filters.$"):
        initializer([*shape[:-2], 3, 2])
    with pytest.raises(ValueError, match="^The tensor to initialize must be"):
        initializer([1])


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_orthogonal_convolution_kernels_preserve_norm(graph, axes):
    """The taps of such a kernel, as matrices k, satisfy sum of k k^T = 1."""
    make = getattr(tf.contrib.framework, f"convolutional_orthogonal_{axes}d")
    for dtype, near in ((tf.float32, 1e-5), (tf.float64, 1e-12)):
        kernel = run(make(seed=1, dtype=dtype)([2] * axes + [3, 4]))
        assert kernel.dtype == dtype.as_numpy_dtype
        taps = kernel.reshape(-1, 3, 4)
        np.testing.assert_allclose(sum(tap @ tap.T for tap in taps), np.eye(3), atol=near)


def test_orthogonal(graph):
    tall, wide, deep = (run(init.orthogonal()(shape)) for shape in ([5, 3], [3, 5], [2, 3, 4]))
    np.testing.assert_allclose(tall.T @ tall, np.eye(3), atol=1e-5)
    np.testing.assert_allclose(wide @ wide.T, np.eye(3), atol=1e-5)
    flat = deep.reshape(6, 4)
    np.testing.assert_allclose(flat.T @ flat, np.eye(4), atol=1e-5)


def test_constants(graph):
    assert run(init.zeros()([2])).tolist() == [0.0, 0.0]
    assert run(init.ones()([2], tf.int32)).tolist() == [1, 1]
    assert run(init.constant([1, 2, 3, 4])([2, 2])).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert run(init.constant([1.0, 2.0])([4])).tolist() == [1.0, 2.0, 2.0, 2.0]
    assert run(init.constant(np.eye(2))([2, 2], tf.float64)).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert run(init.identity(3.0)([2, 3])).tolist() == [[3.0, 0.0, 0.0], [0.0, 3.0, 0.0]]


def test_partition_is_slice_of_whole(graph):
    info = PartitionInfo([4, 2], [2, 0])
    assert run(init.identity()([2, 2], partition_info=info)).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    part = run(init.glorot_uniform(seed=1)([2, 2], partition_info=info))
    whole = run(init.glorot_uniform(seed=1)([4, 2]))
    np.testing.assert_array_equal(part, whole[:2])
    scaled = run(init.uniform_unit_scaling(seed=1)([2, 2], partition_info=info))
    assert np.abs(scaled).max() < np.sqrt(3 / 4)


def test_default_seed_is_op_count(graph):
    """An unseeded initializer's seed is the number of ops before its random op: three Consts here."""
    tf.set_random_seed(7)
    tf.get_variable("w", [2, 3])
    op = graph.get_operation_by_name("w/Initializer/random_uniform/RandomUniform")
    assert (op.get_attr("seed"), op.get_attr("seed2")) == (7, 3)
    assert [o.name for o in graph.get_operations()][:6] == [
        "w/Initializer/random_uniform/shape",
        "w/Initializer/random_uniform/min",
        "w/Initializer/random_uniform/max",
        "w/Initializer/random_uniform/RandomUniform",
        "w/Initializer/random_uniform/sub",
        "w/Initializer/random_uniform/mul",
    ]


@pytest.mark.parametrize(
    ("initializer", "config"),
    [
        (init.zeros(), {"dtype": "float32"}),
        (init.ones(), {"dtype": "float32"}),
        (init.constant(3), {"value": 3, "dtype": "float32"}),
        (init.random_normal(), {"mean": 0.0, "stddev": 1.0, "seed": None, "dtype": "float32"}),
        (init.truncated_normal(), {"mean": 0.0, "stddev": 1.0, "seed": None, "dtype": "float32"}),
        (init.random_uniform(), {"minval": 0, "maxval": None, "seed": None, "dtype": "float32"}),
        (init.uniform_unit_scaling(), {"factor": 1.0, "seed": None, "dtype": "float32"}),
        (
            init.variance_scaling(),
            {
                "scale": 1.0,
                "mode": "fan_in",
                "distribution": "truncated_normal",
                "seed": None,
                "dtype": "float32",
            },
        ),
        (
            init.random_uniform(1, 2, seed=3),
            {"minval": 1, "maxval": 2, "seed": 3, "dtype": "float32"},
        ),
        (
            init.truncated_normal(1.0),
            {"mean": 1.0, "stddev": 1.0, "seed": None, "dtype": "float32"},
        ),
        (
            init.he_normal(4),
            {
                "scale": 2.0,
                "mode": "fan_in",
                "distribution": "truncated_normal",
                "seed": 4,
                "dtype": "float32",
            },
        ),
        (init.glorot_normal(), {"seed": None, "dtype": "float32"}),
        (init.uniform_unit_scaling(2.0), {"factor": 2.0, "seed": None, "dtype": "float32"}),
        (init.orthogonal(), {"gain": 1.0, "seed": None, "dtype": "float32"}),
        (init.identity(), {"gain": 1.0, "dtype": "float32"}),
        (
            tf.contrib.framework.convolutional_orthogonal_1d(2.0),
            {"gain": 2.0, "seed": None, "dtype": "float32"},
        ),
    ],
)
def test_configs(initializer, config):
    assert initializer.get_config() == config
    assert type(initializer).from_config(config).get_config() == config


@pytest.mark.parametrize(
    ("case", "kind", "text"),
    [
        (
            lambda: init.variance_scaling(distribution="Flat"),
            ValueError,
            "('Invalid `distribution` argument:', 'flat')",
        ),
        (
            lambda: tf.contrib.layers.variance_scaling_initializer(mode="FAN"),
            TypeError,
            "('Unknown mode %s [FAN_IN, FAN_OUT, FAN_AVG]', 'FAN')",
        ),
    ],
)
def test_errors(graph, case, kind, text):
    with pytest.raises(kind) as caught:
        case()
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("uniform", "mode", "n"), [(True, "FAN_IN", 24), (True, "FAN_OUT", 40), (False, "FAN_AVG", 32)]
)
def test_fan_modes_of_kernels(graph, uniform, mode, n):
    initializer = tf.contrib.layers.variance_scaling_initializer(2.0, mode, uniform, seed=1)
    values = run(initializer([2, 4, 3, 5]))
    if uniform:
        assert 0.9 < np.abs(values).max() / np.sqrt(6 / n) <= 1
    else:
        # Within three standard deviations for 120 draws of a normal truncated at two.
        np.testing.assert_allclose(values.std(), np.sqrt(2 / n), rtol=0.15)


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_orthogonal_convolutions_preserve_length(graph, axes, size):
    """By Parseval: in each frequency the kernel's transform has orthonormal rows."""
    kind = getattr(init, f"convolutional_orthogonal_{axes}d", None)
    kind = kind or getattr(tf.contrib.framework, f"convolutional_orthogonal_{axes}d")
    kernel = run(kind()([size] * axes + [2, 3]))
    assert kernel.shape == (*[size] * axes, 2, 3)
    result = np.fft.fftn(kernel, [4] * axes, range(axes)).reshape(-1, 2, 3)
    for matrix in result:
        np.testing.assert_allclose(matrix @ matrix.conj().T, np.eye(2), atol=1e-5)


@pytest.mark.parametrize("kept, inputs", [(False, None), (True, False), (False, False)])
def test_short_constant_is_extended(graph, kept, inputs):
    initializer = tf.constant_initializer([1.0, 2.0], verify_shape=kept)
    with tf.Session() as session:
        assert session.run(initializer([3], verify_shape=inputs)).tolist() == [1.0, 2.0, 2.0]
