"""Constants of many values in many dtypes and shapes: the nodes' full protos, or errors."""

import numpy as np

NAMES = (
    *("float32", "float64", "float16", "bfloat16", "int8", "uint8", "int16", "int32"),
    *("uint32", "int64", "uint64", "bool", "string", "complex64", "complex128", "qint8"),
    *("qint32", "resource", "variant"),
)


def _proto(tf, *args, **options):
    """The proto of a constant's value, with dtype and static shape."""
    with tf.Graph().as_default():
        made = tf.constant(*args, **options)
    given = " ".join(str(made.op.node_def.attr["value"].tensor).split())
    return made.dtype.name, made.shape, given


def without_elements(tf, stage):
    """Empty constants from lists, arrays of each kind, strings, and empty shapes."""
    for name in NAMES:
        dtype = tf.as_dtype(name)
        for value in (
            *([], [[]], [[], []], (), ((), ())),
            *(np.zeros([0], "f"), np.zeros([0, 2], "i"), np.zeros([2, 0], "c8")),
            *(np.zeros([0], bool), np.zeros([0], "S1"), np.zeros([0], "U2"), np.zeros([0], object)),
        ):
            if name != "bfloat16" or isinstance(value, (list, tuple)):
                stage.say("=", name, repr(value))
                stage.attempt(lambda: _proto(tf, value, dtype))  # noqa: B023  called here
        for value in (1, 1.5, "a", True, None, [1, 2], [[1], [2, 3]], [], np.zeros([0, 3])):
            stage.say("= no elements", name, repr(value))
            stage.attempt(lambda: _proto(tf, value, dtype, shape=[0, 2]))  # noqa: B023
        for value in ([], np.zeros([0], "f"), np.zeros([1, 0], "l")):
            stage.say("= filled", name, repr(value))
            stage.attempt(lambda: _proto(tf, value, dtype, shape=[2, 1]))  # noqa: B023


def of_each_dtype(tf, stage):
    """Numbers, strings, tuples and arrays as each dtype: limits, truncation, errors."""
    for name in NAMES:
        dtype = tf.as_dtype(name)
        ragged = () if name in ("resource", "variant") else ([1, [2]], [[1, 2], [3]], range(3))
        for value in (
            *(
                0,
                -1,
                127,
                128,
                255,
                256,
                65536,
                2**31,
                2**32,
                2**53 + 1,
                -(2**63),
                2**64 - 1,
                2**64,
            ),
            *(0.1, -0.0, 1e-46, 1e39, float("nan"), -float("inf"), 2.0, 1j, True, "1", b"\xff"),
            *([1, 2.5], [True, 0], [1, True], ["a", b"b"], [(1,)], [None]),
            *((3,), [(3,), (4,)], *([bytearray(b"ab")] if name != "bfloat16" else []), *ragged),
        ):
            stage.say("=", name, repr(value))
            stage.attempt(lambda: _proto(tf, value, dtype))  # noqa: B023  called here


def of_arrays(tf, stage):
    """Arrays as each dtype: transposed, strided, byte-swapped, scalar, and of strings."""
    arrays = (
        np.arange(6, dtype="f").reshape(2, 3).T,
        np.arange(6, dtype=">i4")[::-2],
        np.array(1.7),
        np.float16(2.5),
        np.int64(2**40 + 1),
        np.array([300, -1], "i2"),
        np.array([1.5 - 2j]),
        np.array([True, False]),
        np.array(["1", "23"]),
        np.array([b"1", b"0"]),
        np.array(["a", b"b"], object),
        np.array([1, 2], object),
        np.broadcast_to(np.float64(0.1), [2, 2]),
    )
    for name in NAMES:
        dtype = tf.as_dtype(name)
        for i, value in enumerate(arrays):
            if not (name == "bfloat16" or (name[:4] == "comp" and value.dtype == object)):
                stage.say("=", name, i)
                stage.attempt(lambda: _proto(tf, value, dtype))  # noqa: B023  called here
