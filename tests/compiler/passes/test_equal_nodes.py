"""Equal functions of a variable are shared, as in TensorFlow 1.15.5, unless control inputs differ."""

import pytest

import tfmini as tf


@pytest.mark.parametrize("is_controlled", [False, True])
def test_towers_do_not_share_variable_reads_across_updates(is_controlled):
    """Spectral normalization of a kernel shared by two towers: the second does not see the first one's update."""
    u = tf.Variable([3.0, 4.0])
    first = tf.reshape(u, [2, 1]) * 2.0
    update = u.assign(tf.reshape(first, [2]))
    with tf.control_dependencies([update]):
        late = tf.constant(1.0) + 0.0
    with tf.control_dependencies([update] if is_controlled else None):
        second = tf.reshape(u, [2, 1]) * 2.0
    with tf.Session() as session:
        session.run(u.initializer)
        assert session.run(second * late)[0, 0] == (12.0 if is_controlled else 6.0)
