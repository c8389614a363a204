"""group_norm: any channel and reduction axes, against numpy; invalid axes."""

import numpy as np
import pytest

import tfmini as tf

X = np.random.RandomState(0).randn(2, 4, 6, 8).astype("f")
GROUPS = 2


def by_numpy(x, channels_axis, reduction_axes):
    x = np.moveaxis(x.astype("d"), channels_axis, -1)
    retained = [axis for axis in range(4) if axis != channels_axis % 4]
    axes = tuple(retained.index(axis % 4) for axis in reduction_axes)
    groups = x.reshape(*x.shape[:-1], GROUPS, -1)
    mean, variance = (f(groups, axes + (4,), keepdims=True) for f in (np.mean, np.var))
    normal = ((groups - mean) / np.sqrt(variance + 1e-6)).reshape(x.shape)
    return np.moveaxis(normal, -1, channels_axis)


@pytest.mark.parametrize("mean_close_to_zero", [False, True])
@pytest.mark.parametrize(
    "channels_axis, reduction_axes",
    [(3, (1, 2)), (-1, (-3, -2)), (1, (2, 3)), (-3, [-2]), (0, (3,)), (-4, (1, 2, 3)), (3, (0,))],
)
def test_every_axis_choice(channels_axis, reduction_axes, mean_close_to_zero):
    y = tf.contrib.layers.group_norm(
        X, GROUPS, channels_axis, reduction_axes, mean_close_to_zero=mean_close_to_zero
    )
    assert y.shape == X.shape
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        result = session.run(y)
    np.testing.assert_allclose(result, by_numpy(X, channels_axis, reduction_axes), atol=2e-5)


def test_unknown_shapes_are_refused():
    with pytest.raises(ValueError, match="^Inputs x:0 has undefined rank.$"):
        tf.contrib.layers.group_norm(tf.placeholder(tf.float32, name="x"), GROUPS)
    with pytest.raises(ValueError, match="^Inputs y:0 has undefined channel dimension: 3.$"):
        tf.contrib.layers.group_norm(tf.placeholder(tf.float32, [2, 4, 6, None], name="y"), GROUPS)
    with pytest.raises(ValueError, match="^Inputs z:0 has undefined dimensions 1.$"):
        tf.contrib.layers.group_norm(tf.placeholder(tf.float32, [2, None, 6, 8], name="z"), GROUPS)
