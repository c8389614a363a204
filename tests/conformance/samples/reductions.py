"""Reductions over axes, scans, positions, segments."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample

NAN, INF = np.nan, np.inf
X = np.array([[[1.5, -2], [0.5, 3]], [[2, 1], [-1, 0.25]], [[4, 5], [2.5, -3]]], np.float32)
INT = np.array([[3, -1, 4], [1, 5, -9]], np.int32)
BOOL = np.array([[True, True], [False, True]])
BIG = np.arange(6000, dtype=np.float32).reshape(50, 4, 30) / 1000


def axes(*values):
    return np.array(values, np.int32)


def over(function):
    return lambda x, a: function(x, axis=tuple(np.ravel(a).tolist()))


def logsumexp(x, axis):
    return np.log(np.cumsum(np.exp(x.astype("d")), axis)).astype(x.dtype)


FUNCTIONS = {"Sum": np.sum, "Mean": np.mean, "Max": np.max, "Min": np.min, "Prod": np.prod}
SAMPLES = []
for _op, _function in FUNCTIONS.items():
    _want = over(_function)
    for _axes in (axes(), axes(0), axes(2), axes(0, 1), axes(1, 2), axes(0, 2), axes(0, 1, 2)):
        SAMPLES.append(Sample(_op, [X, _axes], expect=_want, gradient=[0], note=f"{_axes}"))
    SAMPLES.append(Sample(_op, [X, np.int32(-2)], expect=_want, gradient=[0], note="scalar axis"))
    SAMPLES.append(
        Sample(
            _op,
            [X, axes(1, 0)],
            {"keep_dims": True},
            lambda x, a, _function=_function: _function(x, axis=(0, 1), keepdims=True),
            gradient=[0],
            note="kept",
        )
    )
    SAMPLES.append(Sample(_op, [np.float32(3), axes()], expect=np.float32(3), note="scalar"))
    SAMPLES.append(
        Sample(
            _op,
            [INT, axes(0)],
            expect=[4, 4, -5] if _op == "Sum" else _function(INT, 0).astype("i4"),
            note="int32",
        )
    )
SAMPLES = [s for s in SAMPLES if not (s.op in ("Sum", "Mean") and s.note == "int32")]
SAMPLES += [
    Sample("Sum", [BIG, axes(0, 1)], expect=over(np.sum), note="large first"),
    Sample("Sum", [BIG, axes(1, 2)], expect=over(np.sum), note="large last"),
    Sample("Sum", [BIG, axes(0, 1, 2)], expect=over(np.sum), note="large all"),
    Sample("Sum", [BIG[:, ::2], axes(0)], expect=over(np.sum), note="strided"),
    Sample("Sum", [INT, axes(1)], expect=np.array([6, -3], "i4"), note="int32"),
    Sample("Sum", [np.array([30000, 30000], "i2"), axes(0)], expect=np.int16(-5536), note="wraps"),
    Sample("Sum", [np.full(5000, 0.1, "e"), axes(0)], expect=np.float16(500), note="half"),
    Sample("Sum", [np.array([1 + 2j, 3], "F"), axes(0)], expect=np.complex64(4 + 2j), note="complex"),
    Sample("Sum", [X[:0], axes(0)], expect=np.zeros((2, 2), "f"), note="empty"),
    Sample("Mean", [INT, axes(0)], expect=np.array([2, 2, -2], "i4"), note="int32"),
    Sample("Mean", [np.array([200, 200], "u1"), axes(0)], expect=np.uint8(72), note="wraps"),
    Sample("Mean", [X[:0], axes(0)], expect=np.full((2, 2), NAN, "f"), note="empty"),
    Sample("Max", [X[:0], axes(0)], expect=np.full((2, 2), -INF, "f"), note="empty"),
    Sample("Min", [X[:0], axes(0)], expect=np.full((2, 2), INF, "f"), note="empty"),
    Sample("Max", [INT[:0], axes(0)], expect=np.full(3, -(2**31), "i4"), note="empty int32"),
    Sample("Prod", [X[:0], axes(0)], expect=np.ones((2, 2), "f"), note="empty"),
    Sample("Max", [np.array([NAN, 1, NAN], "f"), axes(0)], expect=np.float32(1), note="nan"),
    Sample("Min", [np.array([NAN, 1, NAN], "f"), axes(0)], expect=np.float32(1), note="nan"),
    Sample("Max", [np.array([2, 5, 5], "f"), axes(0)], expect=np.float32(5), note="ties", gradient=()),
    Sample("All", [BOOL, axes(0)], expect=over(np.all)),
    Sample("All", [BOOL[:0], axes(0)], expect=np.array([True, True]), note="empty"),
    Sample("Any", [BOOL, axes(1)], {"keep_dims": True}, np.array([[True], [True]])),
    Sample("EuclideanNorm", [X, axes(0)], expect=lambda x, a: np.sqrt((x * x).sum(0))),
    Sample("EuclideanNorm", [INT, axes(1)], expect=np.array([5, 10], "i4"), note="int32"),
    Sample("ArgMax", [INT, np.int32(1)], expect=np.array([2, 1])),
    Sample("ArgMax", [X, np.int32(-1)], {"output_type": tf.int32}, X.argmax(-1).astype("i4"), (),
           note="int32"),
    Sample("ArgMax", [np.array([1, NAN, 3, INF, -INF], "f"), np.int32(0)], expect=np.int64(3), note="nan", gradient=()),
    Sample("ArgMax", [np.array([NAN, NAN], "f"), np.int32(0)], expect=np.int64(0), note="all nan", gradient=()),
    Sample("ArgMin", [INT, np.int64(0)], expect=np.array([1, 0, 1])),
    Sample("ArgMin", [np.array([1, NAN, 0.5], "f"), np.int32(0)], expect=np.int64(2), note="nan", gradient=()),
    Sample("Cumsum", [X, np.int32(1)], expect=lambda x, a: np.cumsum(x, 1), gradient=[0]),
    Sample("Cumsum", [INT, np.int32(-1)], {"exclusive": True, "reverse": True},
           np.array([[3, 4, 0], [-4, -9, 0]], "i4"), note="int32"),
    Sample("Cumsum", [X, np.int64(0)], {"reverse": True},
           lambda x, a: np.cumsum(x[::-1], 0)[::-1], gradient=[0], note="reverse"),
    Sample("Cumprod", [X, np.int32(2)], expect=lambda x, a: np.cumprod(x, 2), gradient=[0]),
    Sample("Cumprod", [X, np.int32(0)], {"exclusive": True, "reverse": True},
           lambda x, a: np.stack([x[1] * x[2], x[2], np.ones_like(x[2])]), gradient=[0], note="others"),
    Sample("CumulativeLogsumexp", [X, np.int32(0)], expect=logsumexp, gradient=[0]),
    Sample("CumulativeLogsumexp", [X[:, 0, 0], np.int32(0)], {"exclusive": True},
           np.array([np.finfo("f").min, 1.5, np.log(np.exp(1.5) + np.exp(2))], "f"), note="exclusive", gradient=()),
]  # fmt: skip

ROWS = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
IDS = np.array([0, 0, 2], np.int32)
MIXED = np.array([2, -1, 2], np.int32)
FEW, LARGEST = np.int32(3), np.finfo("f").max
PICKED = np.array([0, 2, 2], np.int32)
SAMPLES += [
    Sample("SegmentSum", [ROWS, IDS], expect=np.array([[4, 6], [0, 0], [5, 6]], "f"), gradient=[0], static=False),
    Sample("SegmentMean", [ROWS, IDS], expect=np.array([[2, 3], [0, 0], [5, 6]], "f"), gradient=[0], static=False),
    Sample("SegmentMean", [ROWS.astype("i4"), IDS + 1], expect=np.array([[0, 0], [2, 3], [0, 0], [5, 6]], "i4"),
           static=False, note="int32"),
    Sample("SegmentProd", [ROWS, IDS], expect=np.array([[3, 8], [1, 1], [5, 6]], "f"), static=False),
    Sample("SegmentMin", [ROWS, IDS], expect=np.array([[1, 2], [0, 0], [5, 6]], "f"), gradient=[0], static=False),
    Sample("SegmentMax", [ROWS, IDS], expect=np.array([[3, 4], [0, 0], [5, 6]], "f"), gradient=[0],
           static=False),
    Sample("SegmentSum", [ROWS[:0], IDS[:0]], expect=np.zeros((0, 2), "f"), static=False, note="empty"),
    Sample("UnsortedSegmentSum", [ROWS, MIXED, FEW], expect=np.array([[0, 0], [0, 0], [6, 8]], "f"), gradient=[0],
           static=False),
    Sample("UnsortedSegmentSum", [ROWS, np.array([[2, 0], [1, 1], [0, -2]], "i8"), FEW],
           expect=np.array([7, 7, 1], "f"), gradient=[0], static=False, note="matrix of ids"),
    Sample("UnsortedSegmentProd", [ROWS, MIXED, FEW], expect=np.array([[1, 1], [1, 1], [5, 12]], "f"), gradient=[0],
           static=False),
    Sample("UnsortedSegmentMin", [ROWS, MIXED, FEW],
           expect=np.array([[LARGEST] * 2, [LARGEST] * 2, [1, 2]], "f"), static=False, gradient=()),
    Sample("UnsortedSegmentMax", [ROWS, IDS, FEW],
           expect=np.array([[3, 4], [-LARGEST] * 2, [5, 6]], "f"), static=False, gradient=()),
    Sample("UnsortedSegmentMax", [ROWS, np.array([1, 0, 1], "i4"), np.int32(2)],
           expect=np.array([[3, 4], [5, 6]], "f"), gradient=[0], static=False, note="gradient"),
    Sample("UnsortedSegmentMin", [ROWS, np.array([1, 0, 1], "i4"), np.int32(2)],
           expect=np.array([[3, 4], [1, 2]], "f"), gradient=[0], static=False, note="gradient"),
    Sample("SparseSegmentSum", [ROWS, PICKED, IDS], expect=np.array([[6, 8], [0, 0], [5, 6]], "f"), gradient=[0],
           static=False),
    Sample("SparseSegmentMean", [ROWS, PICKED, IDS], expect=np.array([[3, 4], [0, 0], [5, 6]], "f"), gradient=[0],
           static=False),
    Sample("SparseSegmentSqrtN", [ROWS, PICKED, IDS],
           expect=np.array([[4.242641, 5.656854], [0, 0], [5, 6]], "f"), gradient=[0], static=False),
    Sample("SparseSegmentMeanGrad", [ROWS, PICKED, IDS, np.int32(4)],
           expect=np.array([[0.5, 1], [0, 0], [5.5, 7], [0, 0]], "f"), static=False),
    Sample("SparseSegmentSqrtNGrad", [ROWS, PICKED, IDS, np.int32(4)],
           expect=np.array([[0.70710677, 1.4142135], [0, 0], [5.7071066, 7.4142137], [0, 0]], "f"), static=False),
    Sample("Bincount", [np.array([1, 2, 2, 5], "i4"), np.int32(4), np.zeros(0, "f")],
           expect=np.array([0, 1, 2, 0], "f"), static=False),
    Sample("Bincount", [np.array([1, 2, 2, 5], "i4"), np.int32(6), np.array([1, 2, 3, 4], "i4")],
           expect=np.array([0, 1, 5, 0, 0, 4], "i4"), static=False, note="weights"),
]  # fmt: skip
for _name in ("Sum", "Mean", "SqrtN"):
    _plain = next(s for s in SAMPLES if s.op == f"SparseSegment{_name}")
    SAMPLES.append(
        Sample(
            f"SparseSegment{_name}WithNumSegments",
            [*_plain.inputs, np.int32(4)],
            expect=np.concatenate([_plain.expect, np.zeros((1, 2), "f")]),
            gradient=[0],
            static=False,
        )
    )
