"""Eager tensors: numbers, sequences, unsupported members, conversions, constants, names; comparison of tensor specs."""

import numpy as np

from tests.conformance.scenes import eager_mode


def numbers(tf, stage):
    with eager_mode(tf):
        given = {
            "float": tf.constant(1.5),
            "double": tf.constant(2.5, tf.float64),
            "half": tf.constant(0.5, tf.float16),
            "small": tf.constant(-3, tf.int8),
            "large": tf.constant(2**62, tf.int64),
            "unsigned": tf.constant(250, tf.uint8),
            "true": tf.constant(True),
            "false": tf.constant(False),
            "text": tf.constant("text"),
            "complex": tf.constant(1 + 2j),
            "one": tf.constant([3.0]),
            "row": tf.constant([1, 2, 3]),
            "empty": tf.constant([], tf.float32),
            "matrix": tf.constant([[1.0, 2.0], [3.0, 4.0]]),
        }
        for name, x in given.items():
            stage.say("=", name, x.dtype, x.shape, x.ndim, x.device)
            for convert in (float, int, bool, len, str, "{:}".format, list, hash):
                if convert is hash:
                    stage.attempt(lambda: hash(x) == hash(x))  # noqa: B023  called here
                else:
                    stage.attempt(lambda: convert(x))  # noqa: B023
            stage.attempts(
                lambda: [0, 1, 2, 3][x],  # noqa: B023
                lambda: repr(x),  # noqa: B023
                lambda: x == x,  # noqa: B023
                lambda: x[0],  # noqa: B023
                lambda: x[..., None].shape,  # noqa: B023
                lambda: tf.convert_to_tensor(x, tf.float64),  # noqa: B023
                lambda: tf.cast(x, tf.int32),  # noqa: B023
                lambda: tf.constant(x, name="again"),  # noqa: B023
                lambda: tf.constant(x, tf.int32),  # noqa: B023
                lambda: tf.constant(x, shape=[2]),  # noqa: B023
            )


def constants(tf, stage):
    """Constants and conversions in eager mode: explicit dtypes, mismatches, sequences of tensors."""
    with eager_mode(tf):
        one = tf.constant(1.0)
        for value in (
            *(1, 2**31 - 1, 2**31, -(2**31), 2**63, 1.0, 1e40, True, "é", b"\xff", None, 1j),
            *([], [[]], [1, 2.5], [1, True], [True, 1.0], ["a", 1], [[1], [2, 3]], (1, (2,))),
            *(np.float64(1.0), np.int8([1]), np.array(["a"]), np.uint32(3)),
            *(np.zeros([0, 2]), range(3), {1: 2}, object),
            *([np.float64(1.0), 2], [np.int64(1)], tf.int32, [None], tf.TensorShape([1, 2])),
            *(tf.Dimension(3), [tf.Dimension(2), 1]),
            *(
                np.datetime64("2000-01-01"),
                np.array(1 + 1j, "complex64"),
                memoryview(b"ab"),
                10**30,
            ),
        ):
            if not (value is object or isinstance(value, (dict, memoryview, np.datetime64))):
                stage.attempt(lambda: tf.convert_to_tensor(value))  # noqa: B023  called here
                stage.attempt(lambda: tf.constant(value, tf.float32))  # noqa: B023
                stage.attempt(lambda: tf.convert_to_tensor(value, tf.int32))  # noqa: B023
        stage.attempts(
            lambda: tf.constant(1, tf.resource),
            lambda: tf.convert_to_tensor((one, tf.constant(1))),
            lambda: tf.convert_to_tensor(tf.IndexedSlices(tf.ones([1]), tf.constant([0]))),
            lambda: tf.contrib.util.make_tensor_proto(one).float_val,
        )
        with tf.name_scope("scope") as scope, tf.control_dependencies([one, lambda: None]):
            stage.say(scope, tf.constant(1.0).shape)
        with stage.failing(), tf.Graph().as_default():
            stage.say(tf.executing_eagerly(), tf.add(one, 1.0).op.type, one.shape)
        with tf.device("/cpu:0"), stage.failing():
            stage.say(tf.constant(1.0).device, tf.identity(one).device)
        with stage.failing(), tf.device("/job:worker"):
            tf.constant(1.0)
        with stage.failing(), tf.device("/gpu:7"):
            stage.say(tf.constant(1.0).device[-5:])
        with tf.init_scope():
            stage.say(tf.executing_eagerly(), tf.constant([1]).shape)
