"""Parts of tensors: slices, gather, gather_nd; also of variables and modified copies."""

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

X = np.arange(60, dtype="f").reshape(3, 4, 5) / 8
INT = np.arange(6, dtype=np.int32).reshape(2, 3)
TEXT = np.array([b"a", b"b", b"c"], object)


def ints(*values):
    return np.array(values, np.int32)


def longs(*values):
    return np.array(values, np.int64)


def strided(begin, end, strides, **masks):
    """The remaining inputs and the attrs of a strided slice."""
    return [ints(*begin), ints(*end), ints(*strides)], masks


def spread(shape, index, dy):
    result = np.zeros(shape, dy.dtype)
    result[index] = dy
    return result


# Masked numbers that would otherwise select nothing.
CUTS = [
    ("plain", strided([1, 0, 1], [3, 4, 5], [1, 2, 3]), np.s_[1:3, ::2, 1:5:3]),
    ("open", strided([9, 1], [-9, 3], [1, 1], begin_mask=1, end_mask=1), np.s_[:, 1:3]),
    ("backwards", strided([-1, 3], [0, 9], [-1, -2], end_mask=2), np.s_[-1:0:-1, 3::-2]),
    ("element", strided([0, -2], [1, -1], [1, 1], shrink_axis_mask=3), np.s_[0, -2]),
    (
        "ellipsis",
        strided([0, 2], [0, 3], [1, 1], ellipsis_mask=1, shrink_axis_mask=2),
        np.s_[..., 2],
    ),
    ("new axes", strided([0, 1, 0], [0, 3, 0], [1, 1, 1], new_axis_mask=5), np.s_[None, 1:3, None]),
    (
        "all masks",
        strided(
            [1, 0, 0, 0],
            [2, 0, 0, 2],
            [1] * 4,
            shrink_axis_mask=1,
            new_axis_mask=2,
            ellipsis_mask=4,
        ),
        np.s_[1, None, ..., 0:2],
    ),
    ("nothing", strided([2], [1], [1]), np.s_[2:1]),
]
SLICES = [
    Sample("Slice", [X, ints(1, 0, 2), ints(2, 3, 1)], expect=X[1:3, :3, 2:3], gradient=[0]),
    Sample(
        "Slice",
        [X, longs(0, 1, 4), longs(-1, 2, -1)],
        expect=X[:, 1:3, 4:],
        note="rest",
        gradient=(),
    ),
    Sample("Slice", [TEXT, ints(1), ints(2)], expect=TEXT[1:], note="strings"),
    Sample(
        "StridedSlice",
        [TEXT, ints(1), ints(2), ints(1)],
        {"shrink_axis_mask": 1},
        np.array(b"b", object),
        note="string",
    ),
]
for _name, (_bounds, _masks), _index in CUTS:
    SLICES.append(Sample("StridedSlice", [X, *_bounds], _masks, X[_index], [0], note=_name))
    SLICES.append(
        Sample(
            "StridedSliceGrad",
            [ints(3, 4, 5), *_bounds, X[_index]],
            _masks,
            spread(X.shape, _index, X[_index]),
            gradient=[4],
            note=_name,
        )
    )


def rows(x, indices, axis):
    return np.take(x, indices, int(axis))


GATHERED = [
    Sample("Gather", [X, ints(2, 0, 2)], expect=lambda x, i: x[i], gradient=[0]),
    Sample("GatherV2", [X, longs(2, 0, 2), np.int32(0)], expect=rows, gradient=[0]),
    Sample("GatherV2", [X, np.array([[0, 3], [1, 1]]), np.int32(1)], expect=rows, gradient=[0]),
    Sample("GatherV2", [X, np.int32(4), np.int64(-1)], expect=rows, gradient=[0], note="scalar"),
    Sample("GatherV2", [TEXT, ints(2, 2), np.int32(0)], expect=rows, note="strings"),
    Sample("GatherV2", [INT, longs(), np.int32(1)], expect=rows, note="none"),
    Sample(
        "GatherV2",
        [X, np.array([[0, 3], [1, 1], [2, 0]]), np.int32(1)],
        {"batch_dims": 1},
        np.stack([X[i][j] for i, j in enumerate([[0, 3], [1, 1], [2, 0]])]),
        gradient=[0],
        note="batches",
    ),
    # TensorFlow's gradient is wrong if axes lie in between; tfmini builds the same graph.
    Sample(
        "GatherV2",
        [X, np.array([[0, 4], [1, 1], [2, 0]]), np.int32(2)],
        {"batch_dims": 1},
        np.stack([X[i][:, j] for i, j in enumerate([[0, 4], [1, 1], [2, 0]])]),
        note="batches, axes between",
        gradient=(),
    ),
    Sample(
        "GatherV2",
        [X, np.arange(24).reshape(3, 4, 2) % 5, np.int32(2)],
        {"batch_dims": -1},
        np.take_along_axis(X, np.arange(24).reshape(3, 4, 2) % 5, 2),
        gradient=[0],
        note="batches of batches",
    ),
]

POINTS = np.array([[0, 1], [2, 3], [0, 1]])
PLACES = np.array([[1], [1], [0]], np.int32)
NAMED = [
    Sample("GatherNd", [X, POINTS], expect=X[[0, 2, 0], [1, 3, 1]], gradient=[0]),
    Sample("GatherNd", [X, PLACES], expect=X[[1, 1, 0]], gradient=[0], note="rows"),
    Sample("GatherNd", [X, np.array([[[2, 3, 4]]])], expect=X[2:, 3, 4:], note="elements"),
    Sample("GatherNd", [TEXT, PLACES], expect=TEXT[[1, 1, 0]], note="strings"),
    Sample(
        "GatherNd", [INT, np.zeros((2, 0), "i4")], expect=np.stack([INT, INT]), note="everything"
    ),
    Sample(
        "UnravelIndex", [ints(0, 5, 11), ints(3, 4)], expect=np.array([[0, 1, 2], [0, 1, 3]], "i4")
    ),
    Sample("UnravelIndex", [np.int64(7), longs(2, 2, 2)], expect=longs(1, 1, 1), note="scalar"),
    Sample(
        "ScatterNd",
        [POINTS, X[:, 0], longs(3, 4, 5)],
        expect=spread((3, 4, 5), ([0, 2], [1, 3]), np.stack([X[0, 0] + X[2, 0], X[1, 0]])),
        gradient=[1],
    ),
    Sample("ScatterNd", [PLACES, ints(1, 2, 4), ints(3)], expect=ints(4, 3, 0), note="int32"),
    Sample(
        "ScatterNd",
        [PLACES, TEXT, ints(3)],
        expect=np.array([b"c", b"ab", b""], object),
        note="strings",
    ),
]


def changed(how):
    def change(x, places, updates):
        result = x.copy()
        for place, update in zip(places, updates):
            result[tuple(place)] = how(result[tuple(place)], update)
        return result

    return change


UPDATES = X[2, :3, :4]
CHANGED = [
    Sample(
        "TensorScatterUpdate",
        [X[:, :3, :4], PLACES[1:], X[1:, 1:, 1:]],
        expect=changed(lambda old, new: new),
        gradient=[0, 2],
    ),
    Sample("TensorScatterAdd", [X, POINTS, X[:, 0]], expect=changed(np.add), gradient=[0, 2]),
    Sample("TensorScatterSub", [X, POINTS, X[:, 0]], expect=changed(np.subtract), gradient=[0, 2]),
    Sample(
        "ScatterNdNonAliasingAdd", [X, POINTS, X[:, 0]], expect=changed(np.add), gradient=[0, 2]
    ),
    Sample(
        "TensorStridedSliceUpdate",
        [INT, ints(0, 1), ints(2, 3), ints(1, 1), np.full((2, 2), 9, "i4")],
        expect=np.array([[0, 9, 9], [3, 9, 9]], "i4"),
    ),
]


def assign(resource):
    def build(tf):
        variable = tf.Variable(INT, use_resource=resource)
        first = variable[0].assign(ints(7, 8, 9))
        with tf.control_dependencies([first.op]):
            second = variable[:, ::-2].assign([[1, 2], [3, 4]])
        with tf.control_dependencies([second.op]):
            return [variable.initializer, variable.read_value()]

    return build


def passed_on(tf):
    variable = tf.Variable(INT)
    same = raw.RefIdentity(variable._ref())
    return [variable.initializer, raw.AssignAdd(same, np.ones_like(INT))]


ASSIGNED = np.array([[2, 8, 1], [4, 4, 3]], "i4")
VARIABLES = [
    Sample("StridedSliceAssign", build=assign(False), expect=ASSIGNED),
    Sample("ResourceStridedSliceAssign", build=assign(True), expect=ASSIGNED),
    Sample("RefIdentity", build=passed_on, expect=INT + 1),
]

SAMPLES = SLICES + GATHERED + NAMED + CHANGED + VARIABLES
