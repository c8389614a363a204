"""Ops that pass a tensor on, its shape, other shapes for it, and tensors filled or counted."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

X = np.arange(24, dtype="f").reshape(2, 3, 4) / 8
INT = np.arange(6, dtype=np.int32).reshape(2, 3)
TEXT = np.array([b"a", b"", b"b\0"], object)


def ints(*values):
    return np.array(values, np.int32)


def longs(*values):
    return np.array(values, np.int64)


def same(x, *_):
    return x


PASSED = [
    Sample("Identity", [X], expect=same, gradient=[0]),
    Sample("Identity", [TEXT], expect=same, note="strings"),
    Sample("IdentityN", [[X, INT, TEXT]], expect=same, gradient=[0]),
    Sample("StopGradient", [X], expect=same),
    Sample("PreventGradient", [X], {"message": "not here"}, expect=same, gradient=()),
    Sample("Snapshot", [X], expect=same),
    Sample("GuaranteeConst", [X], expect=same),
    Sample("EnsureShape", [X], {"shape": [2, None, 4]}, expect=same, gradient=[0]),
]

ASKED = [
    Sample("Shape", [X], expect=ints(2, 3, 4)),
    Sample("Shape", [np.float32(1)], expect=ints(), note="scalar"),
    Sample("Shape", [TEXT], {"out_type": tf.int64}, expect=longs(3), note="int64"),
    Sample("ShapeN", [[X, X[0]]], expect=(ints(2, 3, 4), ints(3, 4))),
    Sample("Size", [X], expect=np.int32(24)),
    Sample("Size", [X[:0]], {"out_type": tf.int64}, expect=np.int64(0), note="empty"),
    Sample("Rank", [X], expect=np.int32(3)),
]

GIVEN = [
    Sample("Reshape", [X, ints(4, 6)], expect=lambda x, s: x.reshape(s), gradient=[0]),
    Sample("Reshape", [X, longs(2, -1)], expect=X.reshape(2, 12), note="rest"),
    Sample("Reshape", [X, ints(-1)], expect=X.ravel(), note="flat"),
    Sample("Reshape", [X[:1, :1, 0], ints()], expect=np.float32(0), note="to a scalar"),
    Sample(
        "Reshape",
        [X[:0], ints(0, 5, -1)],
        expect=np.zeros((0, 5, 2), "f"),
        static=False,
        note="empty",
    ),
    Sample("Reshape", [TEXT, ints(3, 1)], expect=TEXT[:, None], note="strings"),
    Sample("ExpandDims", [X, np.int32(1)], expect=X[:, None], gradient=[0]),
    Sample("ExpandDims", [X, np.int64(-1)], expect=X[..., None], note="behind"),
    Sample("ExpandDims", [np.int32(7), np.int32(0)], expect=ints(7), note="scalar"),
    Sample("Squeeze", [X[:1, :, :1]], expect=X[0, :, 0], gradient=[0]),
    Sample("Squeeze", [X[:1, :, :1]], {"squeeze_dims": [-1]}, X[:1, :, 0], [0], note="one axis"),
]

FILLED = [
    Sample("Fill", [ints(2, 3), np.float32(1.5)], expect=np.full((2, 3), 1.5, "f"), gradient=[1]),
    Sample("Fill", [longs(2), np.array(True)], expect=np.array([True, True]), note="bool"),
    Sample(
        "Fill",
        build=lambda tf: [raw.Fill([2], "z")],
        expect=np.array([b"z", b"z"], object),
        note="strings",
    ),
    Sample("ZerosLike", [X], expect=np.zeros_like),
    Sample("ZerosLike", [INT], expect=np.zeros_like, note="int32"),
    Sample("ZerosLike", [TEXT], expect=np.array([b"", b"", b""], object), note="strings"),
    Sample("OnesLike", [X], expect=np.ones_like),
    Sample("OnesLike", [INT > 2], expect=np.ones_like, note="bool"),
]

COUNTED = [
    Sample("Range", ints(3, 18, 4), expect=ints(3, 7, 11, 15)),
    Sample("Range", ints(5, 0, -2), expect=ints(5, 3, 1), note="down"),
    Sample("Range", ints(4, 4, 1), expect=ints(), note="empty"),
    Sample("Range", longs(0, 2**40, 2**39), expect=longs(0, 2**39), note="int64"),
    Sample("Range", np.float32([0, 1, 0.1]), expect=np.add.accumulate([0] + [0.1] * 9, dtype="f")),
    Sample("Range", [np.float64(v) for v in (1, -1, -0.5)], expect=np.array([1, 0.5, 0, -0.5])),
    Sample(
        "LinSpace",
        [np.float32(10), np.float32(13), np.int32(5)],
        expect=np.array([10, 10.75, 11.5, 12.25, 13], "f"),
    ),
    Sample("LinSpace", [np.float64(2), np.float64(9), np.int64(1)], expect=np.array([2.0])),
]


def one_hot(indices, depth, on, off, axis=-1):
    axis = indices.ndim if axis == -1 else axis
    places = np.arange(depth).reshape([-1] + [1] * (indices.ndim - axis))
    return np.where(np.expand_dims(indices, axis) == places, on, off)


CODES = [
    Sample("OneHot", [INT, np.int32(4), np.float32(1), np.float32(0)], expect=one_hot),
    Sample("OneHot", [longs(0, -1, 7), np.int32(3), np.int32(5), np.int32(-5)], expect=one_hot),
    Sample(
        "OneHot",
        [INT.astype("u1"), np.int32(3), np.array(True), np.array(False)],
        {"axis": 0},
        lambda *values: one_hot(*values, axis=0),
        note="in front",
    ),
    Sample(
        "OneHot",
        [INT, np.int32(6), np.float32(2), np.float32(3)],
        {"axis": 1},
        lambda *values: one_hot(*values, axis=1),
        note="between",
    ),
]

SAMPLES = PASSED + ASKED + GIVEN + FILLED + COUNTED + CODES
