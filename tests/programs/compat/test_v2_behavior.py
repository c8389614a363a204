"""The switches between TensorFlow 1 and 2, and `tf.compat.v1`."""

import subprocess
import sys
import textwrap

import tfmini as tf
import tfmini.compat.v1 as tf_v1


def test_v1_is_tf():
    assert tf_v1 is tf
    assert tf.compat.v1.Session is tf.Session


def test_behavior_of_version_one():
    tf.disable_v2_behavior()
    tf.disable_eager_execution()
    tf.disable_control_flow_v2()
    tf.disable_tensor_equality()
    assert not tf.executing_eagerly()
    assert not tf.control_flow_v2_enabled()


def printed_by(program):
    """The output of a program in a process of its own."""
    made = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    return made.stdout.splitlines()


def test_behavior_of_version_two():
    """TensorFlow 1.15.5 prints the same."""
    assert printed_by("""
        import tfmini as tf
        tf.enable_v2_behavior()
        x = tf.constant([1, 2, 3])
        print(x == tf.constant([1, 0, 3]), (x != 2).numpy())
        try:
            x == tf.constant([1, 2])
        except tf.errors.InvalidArgumentError as error:
            print(error)
        print(x.shape[0], type(x.shape[0]).__name__, tf.control_flow_v2_enabled())
        with tf.Graph().as_default() as graph:
            p = tf.placeholder(tf.float32, [])
            y = tf.cond(p > 0, lambda: p * 2, lambda: p - 1)
            w = tf.while_loop(lambda i: i < 10.0, lambda i: i * 2.0, [p + 1.0])
            print(type(tf.Variable(1.0)).__name__)
            print(sorted({op.type for op in graph.get_operations()} & {"StatelessIf", "While", "Switch"}))
            dy = tf.gradients(y, p)[0]
            with tf.Session() as session:
                print([float(value) for value in session.run([y, w, dy], {p: 1.0})])
    """) == [
        "tf.Tensor([ True False  True], shape=(3,), dtype=bool) [ True False  True]",
        "Incompatible shapes: [3] vs. [2] [Op:Equal]",
        "3 int True",
        "ResourceVariable",
        "['StatelessIf', 'While']",
        "[2.0, 16.0, 2.0]",
    ]


def test_shapes_of_version_two():
    tf.enable_v2_tensorshape()
    try:
        assert tf.TensorShape([2, None])[0] == 2
        assert tf.TensorShape([2, None])[1] is None
    finally:
        tf.disable_v2_tensorshape()
    assert isinstance(tf.TensorShape([2, None])[0], tf.Dimension)
