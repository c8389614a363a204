"""Selection by conditions, distinct values, dynamic partition and stitch."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample

X = np.arange(12, dtype="f").reshape(3, 4) / 8
BIG = np.linspace(-1, 1, 20000, dtype="f")
MASK = X % 0.5 < 0.3
TEXT = np.array([b"b", b"a", b"b"], object)


def ints(*values):
    return np.array(values, np.int32)


def longs(*values):
    return np.array(values, np.int64)


CHOSEN = [
    Sample("Where", [MASK], expect=np.argwhere, static=False),
    Sample("Where", [np.array([0, 0.5, np.nan], "f")], expect=longs(1, 2)[:, None], static=False),
    Sample("Where", [ints()], expect=np.zeros((0, 1), "i8"), static=False, note="empty"),
    Sample("Select", [MASK, X, -X], expect=np.where, gradient=[1, 2]),
    Sample(
        "Select",
        [np.array([True, False, True]), X, -X],
        expect=np.stack([X[0], -X[1], X[2]]),
        gradient=[1, 2],
        note="rows",
    ),
    Sample("Select", [np.array(False), X, -X], expect=-X, gradient=[1], note="scalar"),
    Sample("Select", [BIG > 0.3, BIG, BIG * 2], expect=np.where, note="large"),
    Sample(
        "Select", [BIG > 0.3, BIG.astype("d"), np.full(20000, np.nan)], expect=np.where, note="NaN"
    ),
    Sample("Select", [TEXT == b"a", TEXT, TEXT[::-1]], expect=np.where, note="strings"),
    Sample("SelectV2", [MASK, X, -X], expect=np.where, gradient=[1, 2]),
    Sample(
        "SelectV2", [MASK[:, :1], X, X[0] * 3], expect=np.where, gradient=[1, 2], note="broadcast"
    ),
    Sample("SelectV2", [MASK, np.float32(1), np.float32(0)], expect=np.where, note="scalars"),
]

NAN = np.array([np.nan, 1, np.nan], "f")
MATRIX = np.array([[1, 0, 0], [1, 0, 0], [2, 0, 0]], "i4")
DISTINCT = [
    Sample(
        "Unique", [ints(3, 3, 9, 1, 9)], expect=(ints(3, 9, 1), ints(0, 0, 1, 2, 1)), static=False
    ),
    Sample("Unique", [NAN], expect=(NAN, ints(0, 1, 2)), static=False, note="NaN"),
    Sample(
        "Unique",
        [TEXT],
        {"out_idx": tf.int64},
        (np.array([b"b", b"a"], object), longs(0, 1, 0)),
        static=False,
        note="strings",
    ),
    Sample(
        "UniqueWithCounts",
        [longs(7, 2, 7)],
        expect=(longs(7, 2), ints(0, 1, 0), ints(2, 1)),
        static=False,
    ),
    # Their static shapes are those of a vector, as in TensorFlow, and never match a matrix.
    Sample("UniqueV2", [ints(5, 5, 1), longs(0)], expect=(ints(5, 1), ints(0, 0, 1)), static=False),
    Sample(
        "UniqueV2",
        [ints(5, 5, 1), longs()],
        expect=(ints(5, 1), ints(0, 0, 1)),
        static=False,
        note="no axis",
    ),
    Sample(
        "UniqueWithCountsV2",
        [ints(5, 5, 1), longs(-1)],
        expect=(ints(5, 1), ints(0, 0, 1), ints(2, 1)),
        static=False,
    ),
    Sample(
        "ListDiff",
        [ints(1, 2, 3, 2, 4), ints(3, 1)],
        expect=(ints(2, 2, 4), ints(1, 3, 4)),
        static=False,
    ),
    Sample(
        "ListDiff",
        [TEXT, TEXT[1:2]],
        {"out_idx": tf.int64},
        (np.array([b"b", b"b"], object), longs(0, 2)),
        static=False,
        note="strings",
    ),
]

SORTED = np.array([[1, 3, 3, 5], [0, 2, 4, 9]], "f")
VALUES = np.array([[3, 0], [9, 4.5]], "f")
MORE = np.array([[3, 0, 5], [9, 4.5, 4]], "f")
FOUND = [
    Sample("LowerBound", [SORTED, VALUES], expect=np.array([[1, 0], [3, 3]], "i4")),
    Sample(
        "UpperBound", [SORTED, VALUES], {"out_type": tf.int64}, np.array([[3, 0], [4, 3]], "i8")
    ),
    Sample(
        "LowerBound", [SORTED, MORE], expect=np.array([[1, 0, 3], [3, 3, 2]], "i4"), note="more"
    ),
    Sample(
        "UpperBound", [SORTED, MORE], expect=np.array([[3, 0, 4], [4, 3, 3]], "i4"), note="more"
    ),
]

DEALT = [
    Sample(
        "DynamicPartition",
        [X, ints(1, 0, 1)],
        {"num_partitions": 3},
        (X[1:2], X[::2], X[:0]),
        gradient=[0],
        static=False,
    ),
    Sample(
        "DynamicPartition",
        [X, np.array([[0, 1, 0, 1]] * 3, "i4")],
        {"num_partitions": 2},
        (X[:, ::2].ravel(), X[:, 1::2].ravel()),
        gradient=[0],
        static=False,
        note="elements",
    ),
    Sample("DynamicPartition", [TEXT, ints(0, 0, 0)], {"num_partitions": 1}, TEXT, static=False),
]
for _op in ("DynamicStitch", "ParallelDynamicStitch"):
    DEALT += [
        Sample(
            _op,
            [[ints(2, 0), np.int32(1), ints(3)], [X[:2], X[2], -X[:1]]],
            expect=np.stack([X[1], X[2], X[0], -X[0]]),
            gradient=[3, 4, 5],
            static=False,
        ),
        Sample(
            _op, [[ints(2, 0), ints(1)], [TEXT[:2], TEXT[2:]]], expect=TEXT[[1, 2, 0]], static=False
        ),
    ]
DEALT.append(
    Sample(
        "DynamicStitch",
        [[ints(0, 1), ints(1)], [longs(1, 2), longs(3)]],
        expect=longs(1, 3),
        static=False,
        note="the later one stands",
    )
)

SAMPLES = CHOSEN + DISTINCT + FOUND + DEALT
