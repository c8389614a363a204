"""Concatenating and splitting, repeating, padding."""

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

X = np.arange(24, dtype="f").reshape(2, 3, 4) / 8
Y = -X[:, :2]
INT = np.arange(6, dtype=np.int32).reshape(2, 3)
TEXT = np.array([[b"a", b"b"]], object)


def ints(*values):
    return np.array(values, np.int32)


def longs(*values):
    return np.array(values, np.int64)


def rows_in_parallel(tf):
    """Accepts only inputs of known shape."""
    return [raw.ParallelConcat([tf.constant(X[:1]), tf.constant(X[1:])], shape=X.shape)]


JOINED = [
    Sample("ConcatV2", [[X, Y, X], np.int32(1)], expect=np.concatenate, gradient=[0, 1, 2]),
    Sample(
        "ConcatV2", [[X, X], np.int64(-1)], expect=np.concatenate, note="last axis", gradient=()
    ),
    Sample("ConcatV2", [[TEXT, TEXT], np.int32(0)], expect=np.concatenate, note="strings"),
    Sample(
        "ConcatV2", [[X[0]] * 17, np.int32(0)], expect=np.concatenate, gradient=[3], note="many"
    ),
    Sample(
        "Concat", [np.int32(1), [X, Y]], expect=lambda a, v: np.concatenate(v, a), gradient=[1, 2]
    ),
    Sample(
        "ConcatOffset",
        [np.int32(1), [ints(2, 3, 4), ints(2, 2, 4), ints(2, 5, 4)]],
        expect=(ints(0, 0, 0), ints(0, 3, 0), ints(0, 5, 0)),
    ),
    Sample("ParallelConcat", build=rows_in_parallel, expect=X),
    Sample("Pack", [[X, -X]], expect=np.stack, gradient=[0, 1]),
    Sample("Pack", [[X, -X]], {"axis": -2}, lambda v: np.stack(v, -2), gradient=[1], note="inside"),
    Sample("Pack", [[np.int64(5), np.int64(7)]], expect=longs(5, 7), note="scalars"),
    Sample("Pack", [[TEXT, TEXT]], expect=np.stack, note="strings"),
]

APART = [
    Sample("Unpack", [X], {"num": 2}, expect=tuple(X), gradient=[0]),
    Sample("Unpack", [X], {"num": 3, "axis": 1}, (X[:, 0], X[:, 1], X[:, 2]), [0], note="inside"),
    Sample("Unpack", [INT[0]], {"num": 3}, expect=(0, 1, 2), note="scalars"),
    Sample("Unpack", [TEXT[0]], {"num": 2}, expect=(b"a", b"b"), note="strings"),
    Sample(
        "Split",
        [np.int32(2), X],
        {"num_split": 2},
        lambda a, x: tuple(np.split(x, 2, a)),
        gradient=[1],
    ),
    Sample("Split", [np.int32(-3), X], {"num_split": 2}, (X[:1], X[1:]), note="from the end"),
    Sample("Split", [np.int32(0), X[:0]], {"num_split": 2}, (X[:0], X[:0]), note="empty"),
    Sample(
        "SplitV",
        [X, longs(1, 0, 3), np.int32(2)],
        {"num_split": 3},
        (X[..., :1], X[..., :0], X[..., 1:]),
        gradient=[0],
    ),
    Sample(
        "SplitV", [X, ints(1, -1), np.int32(1)], {"num_split": 2}, (X[:, :1], X[:, 1:]), note="rest"
    ),
]

REPEATED = [
    Sample("Tile", [X, ints(2, 1, 3)], expect=np.tile, gradient=[0]),
    Sample("Tile", [INT, longs(1, 0)], expect=np.tile, note="never"),
    Sample("Tile", [TEXT, ints(2, 2)], expect=np.tile, note="strings"),
    Sample("BroadcastTo", [X[:, :1], ints(2, 2, 3, 4)], expect=np.broadcast_to, gradient=[0]),
    Sample(
        "BroadcastTo", [np.float64(2), longs(3)], expect=np.broadcast_to, note="scalar", gradient=()
    ),
    Sample("BroadcastArgs", [ints(2, 1, 4), ints(3, 1)], expect=ints(2, 3, 4)),
    Sample("BroadcastArgs", [longs(), longs(3, 0)], expect=longs(3, 0), note="scalar"),
]

PADS = np.array([[1, 0], [0, 2], [2, 1]], np.int32)
MIRRORS = np.array([[1, 0], [2, 1]], np.int32)
MATRIX = X[0]


def mirrored(mode):
    return lambda x, pads: np.pad(x, pads, mode)


def folded(skip):
    """The gradient of a mirror pad of [1, 0] and [2, 1], summed into the source elements."""

    def sums(grad, pads):
        places = np.pad(np.arange(12).reshape(3, 4), pads, ["symmetric", "reflect"][skip])
        return np.bincount(places.ravel(), grad.ravel(), 12).reshape(3, 4).astype(grad.dtype)

    return sums


GRADS = np.arange(28, dtype="f").reshape(4, 7)
PADDED = [
    Sample("Pad", [X, PADS], expect=np.pad, gradient=[0]),
    Sample("Pad", [INT, MIRRORS.astype("i8")], expect=np.pad, note="int32"),
    Sample(
        "Pad",
        [TEXT, MIRRORS],
        expect=np.array([[b""] * 5, [b"", b"", b"a", b"b", b""]], object),
        note="strings",
    ),
    Sample(
        "PadV2",
        [X, PADS, np.float32(7)],
        expect=lambda x, pads, value: np.pad(x, pads, constant_values=value),
        gradient=[0],
    ),
    Sample("MirrorPad", [MATRIX, MIRRORS], {"mode": "REFLECT"}, mirrored("reflect"), [0]),
    Sample(
        "MirrorPad",
        [MATRIX, MIRRORS],
        {"mode": "SYMMETRIC"},
        mirrored("symmetric"),
        [0],
        note="edges",
    ),
    Sample("MirrorPadGrad", [GRADS, MIRRORS], {"mode": "REFLECT"}, folded(1), [0]),
    Sample("MirrorPadGrad", [GRADS, MIRRORS], {"mode": "SYMMETRIC"}, folded(0), [0], note="edges"),
]

SAMPLES = JOINED + APART + REPEATED + PADDED
