"""Sparse tensors: densified, sorted, sliced, joined, summed, multiplied, filled, serialized."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

# [[0, 1, 0, 2], [0, 0, 0, 0], [3, 0, 0, 4]], and another one with two common positions.
PLACES = np.array([[0, 1], [0, 3], [2, 0], [2, 3]])
VALUES = np.array([1, 2, 3, 4], "f")
SHAPE = np.array([3, 4])
A = [PLACES, VALUES, SHAPE]
B_PLACES = np.array([[0, 1], [1, 2], [2, 3]])
B_VALUES = np.array([0.5, -1, -4], "f")
B = [B_PLACES, B_VALUES, SHAPE]
TEXT = np.array([b"a", b"b", b"", b"d" * 200], object)
UNION = np.array([[0, 1], [0, 3], [1, 2], [2, 0], [2, 3]])
MIXED = [2, 0, 3, 1]


def densified(places, values, shape, default=0):
    result = np.full(shape, default, values.dtype)
    for place, value in zip(places, values):
        result[tuple(place)] = value
    return result


def longs(*values):
    return np.array(values, np.int64)


DENSE = densified(*A)
B_DENSE = densified(*B)
OTHER = np.arange(1, 13, dtype="f").reshape(3, 4) / 4


def elements(dense):
    places = np.argwhere(dense)
    return places, dense[tuple(places.T)]


def sliced(places, values, shape, start, size):
    part = DENSE[start[0] : start[0] + size[0], start[1] : start[1] + size[1]]
    return (*elements(part), np.array(part.shape))


def halves():
    parts = [DENSE[:, :2], DENSE[:, 2:]]
    found = [elements(part) for part in parts]
    shapes = [np.array(part.shape) for part in parts]
    return [p for p, _ in found] + [v for _, v in found] + shapes


MADE = [
    Sample("SparseToDense", [PLACES, SHAPE, VALUES, np.float32(9)],
           expect=lambda p, s, v, d: densified(p, v, s, d), gradient=[2, 3]),
    Sample("SparseToDense", [longs(1, 3), longs(5), np.int32(7), np.int32(0)],
           expect=np.array([0, 7, 0, 7, 0], "i4"), note="one value"),
    Sample("SparseToDense", [np.int32(2), np.array([3], "i4"), TEXT[:1], np.array(b"-", object)],
           expect=np.array([b"-", b"-", b"a"], object), note="strings"),
    Sample("SparseToDense", [PLACES[MIXED], SHAPE, VALUES[MIXED], np.float32(0)],
           {"validate_indices": False}, DENSE, note="unsorted"),
    Sample("SparseReorder", [PLACES[MIXED], VALUES[MIXED], SHAPE], expect=(PLACES, VALUES), gradient=[1]),
    Sample("SparseReorder", [PLACES, TEXT, SHAPE], expect=(PLACES, TEXT), note="sorted strings"),
    Sample("SparseReshape", [PLACES, SHAPE, longs(2, -1)],
           expect=(elements(DENSE.reshape(2, 6))[0], longs(2, 6))),
    Sample("SparseReshape", [PLACES, SHAPE, longs(12)], expect=(longs(1, 3, 8, 11)[:, None], longs(12))),
    Sample("SparseReshape", [PLACES, SHAPE, SHAPE], expect=(PLACES, SHAPE), note="same"),
]  # fmt: skip

PARTS = [
    Sample("SparseSplit", [np.int64(1), *A], {"num_split": 2}, halves(), static=False),
    Sample("SparseSplit", [np.int64(0), PLACES, TEXT, SHAPE], {"num_split": 2},
           expect=[PLACES[:2], PLACES[2:] - [2, 0], TEXT[:2], TEXT[2:], longs(2, 4), longs(1, 4)],
           static=False, note="uneven"),
    Sample("SparseSlice", [*A, longs(1, 0), longs(5, 3)], expect=sliced, gradient=[1], static=False),
    Sample("SparseSlice", [*A, longs(0, 4), longs(2, 1)], static=False, note="outside",
           expect=(np.zeros((0, 2), "i8"), np.zeros(0, "f"), longs(2, 0))),
    Sample("SparseSliceGrad", [np.array([5, 6], "f"), PLACES, longs(1, 0), longs([1, 0], [1, 3])],
           expect=np.array([0, 0, 5, 6], "f")),
    Sample("SparseConcat", [[PLACES, B_PLACES], [VALUES, B_VALUES], [SHAPE, SHAPE]], {"concat_dim": -1},
           expect=(*elements(np.hstack([DENSE, B_DENSE])), longs(3, 8))),
    Sample("SparseConcat", [[PLACES, PLACES[:1]], [TEXT, TEXT[:1]], [SHAPE, longs(1, 4)]],
           {"concat_dim": 0}, note="strings", static=False,
           expect=(np.array([*PLACES, [3, 1]]), np.array([*TEXT, b"a"], object), longs(4, 4))),
]  # fmt: skip

ROWS = [
    Sample("SparseFillEmptyRows", [*A, np.float32(8)], gradient=[1, 3], static=False,
           expect=(np.insert(PLACES, 2, [1, 0], axis=0), np.array([1, 2, 8, 3, 4], "f"),
                   np.array([False, True, False]), longs(0, 1, 3, 4))),
    Sample("SparseFillEmptyRows", [PLACES[2:], TEXT[2:], SHAPE, np.array(b"x", object)],
           static=False, note="strings",
           expect=(longs([0, 0], [1, 0], [2, 0], [2, 3]),
                   np.array([b"x", b"x", *TEXT[2:]], object), np.array([True, True, False]),
                   longs(2, 3))),
    Sample("SparseFillEmptyRowsGrad", [longs(0, 1, 3), np.array([1, 2, 4, 8], "f")],
           expect=(np.array([1, 2, 8], "f"), np.float32(4))),
]  # fmt: skip

# Unsorted and repeated: TensorFlow's result is accidental, but reproduced.
JUMBLED = [longs([1, 2], [0, 1], [1, 0], [0, 1]), np.array([1, 2, 3, 4], "f"), SHAPE]

SUMS = [
    Sample("SparseAdd", [*A, *B, np.float32(0)], gradient=[1, 4], static=False,
           expect=(UNION, (DENSE + B_DENSE)[tuple(UNION.T)], SHAPE)),
    Sample("SparseAdd", [*A, *B, np.float32(1.75)], static=False, note="threshold",
           expect=(UNION[[1, 2, 3]], np.array([2, -1, 3], "f"), SHAPE)),
    Sample("SparseAdd", [longs([0], [1]), np.float32([np.nan, 1]), longs(3), longs([1], [2]),
                         np.float32([np.nan, 0]), longs(3), np.float32(0)], static=False, note="NaN", gradient=(),
           expect=(longs([0], [2]), np.float32([np.nan, 0]), longs(3))),
    Sample("SparseAdd", [*JUMBLED, *JUMBLED, np.float32(0)], static=False, note="unsorted",
           expect=(JUMBLED[0], 2 * JUMBLED[1], SHAPE)),
    Sample("SparseAdd", [*JUMBLED, *A, np.float32(0)], static=False, note="with unsorted",
           expect=(longs([0, 1], [0, 3], [1, 2], [0, 1], [1, 0], [0, 1], [2, 0], [2, 3]),
                   np.array([1, 2, 1, 2, 3, 4, 3, 4], "f"), SHAPE)),
    Sample("SparseAddGrad", [np.float32([5, 6, 7, 8]), JUMBLED[0], JUMBLED[0], JUMBLED[0]],
           note="unsorted", expect=(np.float32([5, 6, 7, 8]), np.float32([5, 6, 7, 8]))),
    Sample("SparseAddGrad", [np.arange(1, 6, dtype="f"), PLACES, B_PLACES, UNION],
           expect=(np.array([1, 2, 4, 5], "f"), np.array([1, 3, 5], "f"))),
    Sample("SparseTensorDenseAdd", [*A, OTHER], expect=DENSE + OTHER, gradient=[1, 3]),
    Sample("SparseTensorDenseAdd", [longs([1], [1]), np.int32([3, 4]), longs(2), np.int32([5, 6])],
           expect=np.array([5, 13], "i4"), note="twice"),
    Sample("SparseDenseCwiseAdd", [*A, OTHER], expect=VALUES + OTHER[tuple(PLACES.T)], gradient=()),
    Sample("SparseDenseCwiseMul", [*A, OTHER], expect=VALUES * OTHER[tuple(PLACES.T)], gradient=[1, 3]),
    Sample("SparseDenseCwiseMul", [*A, OTHER[0]], expect=VALUES * OTHER[0, PLACES[:, 1]], note="row"),
    Sample("SparseDenseCwiseMul", [*A, OTHER[:, :1]], expect=VALUES * OTHER[PLACES[:, 0], 0],
           note="column"),
    Sample("SparseDenseCwiseDiv", [*A, OTHER], expect=VALUES / OTHER[tuple(PLACES.T)], gradient=[1, 3]),
    Sample("SparseDenseCwiseDiv", [PLACES, np.int32([-7, 7, 5, -5]), SHAPE, np.int32(2)],
           expect=np.array([-3, 3, 2, -2], "i4"), note="int32"),
    Sample("SparseSparseMaximum", [*A, *B], static=False,
           expect=(UNION, np.maximum(DENSE, B_DENSE)[tuple(UNION.T)]), gradient=()),
    Sample("SparseSparseMinimum", [*A, *B], static=False,
           expect=(UNION, np.minimum(DENSE, B_DENSE)[tuple(UNION.T)]), gradient=()),
    Sample("SparseSparseMaximum", [*JUMBLED, *JUMBLED], static=False, note="unsorted",
           expect=JUMBLED[:2], gradient=()),
    Sample("SparseSoftmax", JUMBLED, note="unsorted", gradient=(),
           expect=np.array([0.1192029, 0.8807971, 0.8807971, 0.1192029], "f")),
    Sample("SparseSoftmax", A, gradient=[1], order=1,
           expect=1 / (1 + np.exp(np.array([1, -1, 1, -1], "f")))),
]  # fmt: skip

AXIS = np.array([1], "i4")
BOTH = np.array([0, -1], "i4")
REDUCED = [
    Sample("SparseReduceSum", [*A, AXIS], expect=DENSE.sum(1), gradient=[1], static=False),
    Sample("SparseReduceSum", [*A, AXIS], {"keep_dims": True}, DENSE.sum(1, keepdims=True),
           static=False, note="kept"),
    Sample("SparseReduceSum", [*A, BOTH], expect=np.float32(10), gradient=[1], static=False, note="all"),
    Sample("SparseReduceMax", [*B, AXIS], expect=np.array([0.5, -1, -4], "f"), static=False),
    Sample("SparseReduceMax", [*A, AXIS * 0], expect=np.array([3, 1, 0, 4], "f"), static=False,
           note="none"),
    Sample("SparseReduceSumSparse", [*A, AXIS], static=False,
           expect=(longs([0], [2]), np.array([3, 7], "f"), longs(3))),
    Sample("SparseReduceSumSparse", [*A, AXIS], {"keep_dims": True}, static=False, note="kept",
           expect=(longs([0, 0], [2, 0]), np.array([3, 7], "f"), longs(3, 1))),
    Sample("SparseReduceSumSparse", [*A, BOTH], static=False, note="all",
           expect=(np.zeros((1, 0), "i8"), np.array([10], "f"), longs())),
    Sample("SparseReduceMaxSparse", [*A, AXIS * 0], static=False,
           expect=(longs([0], [1], [3]), np.array([3, 1, 4], "f"), longs(4))),
]  # fmt: skip

COMPLEX = VALUES + 1j * VALUES[::-1]
PRODUCTS = [
    Sample("SparseTensorDenseMatMul", [*A, OTHER.reshape(4, 3)],
           expect=DENSE @ OTHER.reshape(4, 3), gradient=[1, 3], static=False),
    Sample("SparseTensorDenseMatMul", [*A, OTHER], {"adjoint_a": True}, DENSE.T @ OTHER,
           gradient=[1, 3], static=False, note="transposed sparse"),
    Sample("SparseTensorDenseMatMul", [*A, OTHER], {"adjoint_b": True}, DENSE @ OTHER.T,
           gradient=[1, 3], static=False, note="transposed dense"),
    Sample("SparseTensorDenseMatMul", [PLACES.astype("i4"), np.int32([1, 2, 3, 4]), SHAPE,
                                       OTHER.reshape(4, 3).astype("i4")],
           expect=DENSE.astype("i4") @ OTHER.reshape(4, 3).astype("i4"), static=False, note="int32"),
    Sample("SparseTensorDenseMatMul", [PLACES, COMPLEX.astype("F"), SHAPE, OTHER.astype("F")],
           {"adjoint_a": True, "adjoint_b": False}, static=False, note="complex64",
           expect=densified(PLACES, COMPLEX.astype("F"), SHAPE).T @ OTHER, gradient=()),
]  # fmt: skip


def round_trip(values, many, form):
    """The components of a sparse tensor after serialization."""

    def build(_):
        if many:
            made = raw.SerializeManySparse(PLACES, values, SHAPE, out_type=form)
        else:
            made = raw.SerializeSparse(PLACES, values, SHAPE, out_type=form)
        if many and form is tf.string:
            return [
                list(
                    raw.DeserializeManySparse(
                        made, values.dtype if values is not TEXT else tf.string
                    )
                )
            ]
        return [list(raw.DeserializeSparse(made, tf.as_dtype(values.dtype)))]

    return build


SERIALIZED = [
    Sample("SerializeSparse", build=round_trip(VALUES, False, tf.string), expect=A),
    Sample("SerializeSparse", build=round_trip(TEXT, False, tf.string), expect=[PLACES, TEXT, SHAPE],
           note="strings"),
    Sample("DeserializeSparse", build=round_trip(VALUES, True, tf.variant), expect=A, note="variant"),
    Sample("SerializeManySparse", build=round_trip(VALUES, True, tf.string), expect=A),
    Sample("DeserializeManySparse", build=round_trip(TEXT, True, tf.string),
           expect=[PLACES, TEXT, SHAPE], note="strings"),
]  # fmt: skip

PAIRED = {"hash_key": 1, "out_type": tf.string, "internal_type": tf.string}
NUMBERED = {"hash_key": 1, "out_type": tf.int64, "internal_type": tf.int64}
TEXTS = {"out_type": tf.string, "internal_type": tf.string}
COLORS = np.array([[b"red"], [b"blue"]], object)
CROSSED = [
    Sample("SparseCross", build=lambda tf: [list(raw.SparseCross(
        [longs([0, 0], [0, 1], [1, 0])], [TEXT[:3]], [longs(2, 2)], [COLORS], False, 0, **PAIRED))],
           expect=[longs([0, 0], [0, 1], [1, 0]),
                   np.array([b"a_X_red", b"b_X_red", b"_X_blue"], object), longs(2, 2)]),
    # TensorFlow 1.15.5's result for 5 crossed with 6.
    Sample("SparseCross", build=lambda tf: [list(raw.SparseCross(
        [], [], [], [longs([5]), longs([6])], True, 1000, **NUMBERED))],
           expect=[longs([0, 0]), longs(527), longs(1, 1)], note="hashed"),
    Sample("SparseFeatureCross", build=lambda tf: [list(raw.SparseFeatureCross(
        [longs([0, 0], [0, 1], [1, 0])], [TEXT[:3]], [longs(2, 2)], [COLORS], False, 0, **TEXTS))],
           expect=[longs([0, 0], [0, 1], [1, 0]),
                   np.array([b"a_X_red", b"b_X_red", b"_X_blue"], object), longs(2, 2)]),
    # TensorFlow 1.15.5's results for numbers and strings.
    Sample("SparseFeatureCross", build=lambda tf: [list(raw.SparseFeatureCross(
        [], [], [], [longs([5]), longs([6])], True, 0, tf.int64, tf.int64))],
           expect=[longs([0, 0]), longs(2148546192418823599), longs(1, 1)], note="hashed"),
    Sample("SparseFeatureCross", build=lambda tf: [list(raw.SparseFeatureCross(
        [], [], [], [np.array([[b"a"]], object), np.array([[b"b"]], object)], True, 0, tf.int64, tf.string))],
           expect=[longs([0, 0]), longs(1612230766947939355), longs(1, 1)], note="texts"),
    Sample("SparseFeatureCrossV2", build=lambda tf: [list(raw.SparseFeatureCrossV2(
        [], [], [], [longs([5]), longs([6])], True, 1000, **NUMBERED))],
           expect=[longs([0, 0]), longs(527), longs(1, 1)]),
]  # fmt: skip

SAMPLES = CROSSED + MADE + PARTS + ROWS + SUMS + REDUCED + PRODUCTS + SERIALIZED
