"""One call of each kernel wrapper, to run on any device and compare.

A call is a function of `xp` and arrays, created from NumPy's; it returns one array or several.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini._src.devices.cuda import (
    batch_norm,
    concat,
    fusion,
    gather_scatter,
    optimizers,
    pooling,
    random_numbers,
    reductions,
    row_fusion,
    scan_top_k,
    softmax,
)
from tfmini._src.devices.cuda.cudnn import filters
from tfmini._src.devices.cuda.launch import as_contiguous
from tfmini._src.devices.numpy import philox
from tfmini._src.devices.numpy.windows.axes import Axis

RANDOM = np.random.RandomState(0)
STREAM = philox.seeded_stream(3, 4)


@dataclass(frozen=True)
class Step:
    """Equivalent of tfmini._src.compiler.program.program.BlockStep, which devices may not import."""

    ufunc: Any
    operands: tuple
    target: tuple


@dataclass(frozen=True)
class Call:
    """A wrapper's call with its arrays, drawn on creation; results may differ by `ulps`, 0 by default."""

    function: Callable
    arrays: Callable[[], tuple]
    ulps: int = 0


def floats(*shape, dtype="f"):
    return RANDOM.randn(*shape).astype(dtype)


def places(count, end, dtype="i8"):
    """Random positions, some of them out of range."""
    return RANDOM.randint(-1, end + 1, count).astype(dtype)


def scattered(how):
    def call(xp, array, indices, updates):
        array = array.copy()
        gather_scatter.scatter(xp, how, array, indices, updates)
        return array

    return call


def updated(kind, flags):
    cells, scalars = optimizers.KINDS[kind]

    def call(xp, *arrays):
        copies = [array.copy() for array in arrays]
        width = cells + 1
        variables = [copies[i : i + width] for i in range(0, len(copies) - scalars, width)]
        optimizers.update(xp, kind, variables, copies[len(copies) - scalars :], flags)
        return tuple(copies)

    def arrays():
        sizes = (7, 5000, 4096)
        result = [1 + RANDOM.rand(size).astype("f") for size in sizes for _ in range(cells + 1)]
        factors = [np.array(0.01 + 0.9 * RANDOM.rand(), "f") for _ in range(scalars)]
        if kind.startswith("ftrl"):
            factors[-1] = np.array(-0.5, "f")
        return (*result, *factors)

    return Call(call, arrays, ulps=200)


X, Y, A, RESULT = ("input", 0), ("input", 1), ("buffer", 0), ("result", 0)
GROUP = [Step(np.multiply, (X, Y), A), Step(np.tanh, (A,), A), Step(np.add, (A, X), RESULT)]
HALVED = [Step(np.tanh, (X,), A), Step(np.float16, (A,), RESULT)]
CENTRED = (
    row_fusion.RowStep("mean", (X,), False),
    row_fusion.RowStep("subtract", (X, ("step", 0)), True),
    row_fusion.RowStep("multiply", (("step", 1), Y), True),
    row_fusion.RowStep("sum", (("step", 2),), False),
)


def group(dtype, whole):
    kernel = fusion.FusedKernel(GROUP, dtype, whole)
    return lambda xp, x, y: kernel(xp, x, y)


def group_sum(xp, x, y):
    return fusion.FusedKernel(GROUP, "float32", [0, 1]).reduced(xp, "add", x, y)


# 3 x 3 windows with stride two and a border of zeros; and 5 x 5, whose maxima are found first.
OVERLAPPING = (Axis(9, 3, 2, 1, 1, 1, 5), Axis(8, 3, 2, 1, 0, 1, 4))
APART = (Axis(9, 2, 3, 1, 0, 0, 3), Axis(8, 2, 2, 1, 0, 0, 4))


CALLS = {
    "batch norm": Call(
        lambda xp, x, v: batch_norm.normalize(xp, x, v, v, 1e-3),
        lambda: (floats(3000, 20), floats(20)),
        ulps=8,
    ),
    "batch norm, given": Call(
        lambda xp, x, v: batch_norm.normalize(xp, x, v, v, 1e-3, (v, v * v)),
        lambda: (floats(300, 20), floats(20)),
        ulps=8,
    ),
    "batch norm, back": Call(
        lambda xp, g, x, v: batch_norm.gradients(xp, g, x, v, v, v * v, 1e-3, True),
        lambda: (floats(3000, 20), floats(3000, 20), floats(20)),
        ulps=64,
    ),
    "batch norm, channels first, beside others, rectified": Call(
        lambda xp, x, y, v: batch_norm.normalize(
            xp, x, v, v, 1e-3, channels_first=True, residual=y, rectify=True
        ),
        lambda: (floats(20, 5, 9, 7), floats(20, 5, 9, 7), floats(5)),
        ulps=8,
    ),
    "batch norm, given, channels first, rectified": Call(
        lambda xp, x, v: batch_norm.normalize(
            xp, x, v, v, 1e-3, (v, v * v), channels_first=True, rectify=True
        ),
        lambda: (floats(20, 5, 9, 7), floats(5)),
        ulps=8,
    ),
    "batch norm, back, channels first, rectified": Call(
        lambda xp, g, x, y, v: batch_norm.gradients(
            xp, g, x, v, v, v * v, 1e-3, True, channels_first=True, rectified=y
        ),
        lambda: (floats(20, 5, 9, 7), floats(20, 5, 9, 7), floats(20, 5, 9, 7), floats(5)),
        ulps=64,
    ),
    "batch norm of halves": Call(
        lambda xp, x, v: batch_norm.normalize(xp, x, v, v, 1e-3),
        lambda: (floats(3000, 20, dtype="e"), floats(20)),
        ulps=8,
    ),
    "filters turned": Call(
        lambda xp, *arrays: tuple(filters.to_cudnn_filters(xp, arrays, (False, True))),
        lambda: (floats(3, 3, 20, 40), floats(5, 5, 3, 33)),
    ),
    "filters turned back": Call(
        lambda xp, *arrays: tuple(
            filters.to_tensorflow_order(xp, filters.to_cudnn_filters(xp, arrays, (False, True)))
        ),
        lambda: (floats(3, 3, 20, 40), floats(5, 5, 3, 33)),
    ),
    "largest": Call(
        lambda xp, x: pooling.max_pooled(xp, x, OVERLAPPING, -1e30), lambda: (floats(3, 9, 8, 5),)
    ),
    "largest, back": Call(
        lambda xp, x, g: pooling.max_gradient(xp, x, g, OVERLAPPING),
        lambda: (floats(3, 9, 8, 5), floats(3, 5, 4, 5)),
    ),
    "largest of windows apart, back": Call(
        lambda xp, x, g: pooling.max_gradient(xp, x, g, APART),
        lambda: (floats(3, 9, 8, 5), floats(3, 3, 4, 5)),
    ),
    "mean": Call(
        lambda xp, x: pooling.average_pooled(xp, x, OVERLAPPING), lambda: (floats(3, 9, 8, 5),)
    ),
    "mean, back": Call(
        lambda xp, g: pooling.average_gradient(xp, g, OVERLAPPING), lambda: (floats(3, 5, 4, 5),)
    ),
    "transposed": Call(
        lambda xp, x: as_contiguous(xp, xp.moveaxis(x, -1, 1)), lambda: (floats(3, 9, 7, 40),)
    ),
    "softmax": Call(softmax.softmax, lambda: (floats(50, 300),), ulps=8),
    "softmax, short rows": Call(softmax.softmax, lambda: (floats(500, 10, dtype="d"),), ulps=8),
    "log_softmax": Call(
        lambda xp, x: softmax.softmax(xp, x, True), lambda: (floats(9, 99),), ulps=32
    ),
    "cross entropy": Call(
        softmax.softmax_cross_entropy, lambda: (floats(40, 70), abs(floats(40, 70))), ulps=64
    ),
    "sparse cross entropy": Call(
        softmax.sparse_softmax_cross_entropy, lambda: (floats(40, 70), places(40, 70)), ulps=64
    ),
    "bias": Call(
        lambda xp, x, b: reductions.bias_add(xp, x, b, False, True),
        lambda: (floats(9, 5), floats(5)),
    ),
    "bias of channels": Call(
        lambda xp, x, b: reductions.bias_add(xp, x, b, True),
        lambda: (floats(2, 5, 3, 3), floats(5)),
    ),
    "relu gradient": Call(reductions.relu_gradient, lambda: (floats(3000), floats(3000))),
    "bias gradient": Call(reductions.bias_gradient, lambda: (floats(3000, 33),)),
    "row sums": Call(reductions.row_sums, lambda: (floats(20, 3000),)),
    "row maxima": Call(reductions.row_maxima, lambda: (floats(20, 3000),)),
    "argmax": Call(reductions.extremes, lambda: (floats(20, 3000),)),
    "gather": Call(gather_scatter.gather, lambda: (floats(9, 33), places(70, 9))),
    "gather, bytes": Call(
        gather_scatter.gather, lambda: (places(900, 99, "i1"), places((5, 7), 900, "i4"))
    ),
    "gather in batches": Call(
        lambda xp, x, i: gather_scatter.gather(xp, x, i, 2, 1),
        lambda: (floats(2, 3, 4, 8), places((2, 5), 4)),
    ),
    "gather_nd": Call(gather_scatter.gather_nd, lambda: (floats(9, 8, 5), places((70, 2), 9))),
    "join": Call(
        lambda xp, *arrays: concat.join(xp, arrays, 1),
        lambda: tuple(floats(3, n % 7, 2) for n in range(99)),
    ),
    "stack": Call(
        lambda xp, *arrays: concat.stack(xp, arrays, 1),
        lambda: tuple(floats(3, 5) for _ in range(12)),
    ),
    "one_hot": Call(
        lambda xp, i, on, off: gather_scatter.one_hot(xp, i, 7, on, off, 0),
        lambda: (places((20, 3), 7), np.ones((), "f"), np.zeros((), "f")),
    ),
    **{
        f"scatter {how}": Call(
            scattered(how), lambda: (floats(9, 40), places(300, 9), 1 + abs(floats(300, 40)) / 99)
        )
        for how in ("update", "add", "subtract", "multiply", "divide", "minimum", "maximum")
    },
    "scatter, few columns": Call(
        scattered("add"), lambda: (floats(9, 3), places(900, 9), floats(900, 3))
    ),
    "scatter of complex numbers": Call(
        scattered("add"),
        lambda: (floats(9, 2, dtype="F"), places(900, 9), floats(900, 2, dtype="F")),
    ),
    "segments": Call(
        lambda xp, x, i: gather_scatter.reduce_segments(xp, "multiply", x, i, 9, 1),
        lambda: (1 + floats(90, 20) / 99, places(90, 9, "i4")),
    ),
    "cumsum of rows": Call(
        lambda xp, x: scan_top_k.scan(xp, "cumsum", x, 1), lambda: (floats(20, 3000),)
    ),
    "cumprod": Call(
        lambda xp, x: scan_top_k.scan(xp, "cumprod", x, 0, True, True),
        lambda: (1 + floats(300, 20) / 99,),
    ),
    "cumulative_logsumexp": Call(
        lambda xp, x: scan_top_k.scan(xp, "cumulative_logsumexp", x, -1),
        lambda: (floats(3, 500),),
        ulps=64,
    ),
    "top_k": Call(lambda xp, x: scan_top_k.top_k(xp, x, 9), lambda: (floats(20, 3000) // 0.1,)),
    "words": Call(lambda xp: random_numbers.raw_words(xp, STREAM, 99_999), lambda: ()),
    "double words": Call(lambda xp: random_numbers.raw_double_words(xp, STREAM, 999), lambda: ()),
    "integers": Call(
        lambda xp: random_numbers.uniform_integers(xp, STREAM, 999, -5, 2**40, "int64"), lambda: ()
    ),
    **{
        f"uniform {dtype}": Call(
            lambda xp, dtype=dtype: random_numbers.uniform(xp, STREAM, 9999, dtype), lambda: ()
        )
        for dtype in ("float16", "float32", "float64")
    },
    **{
        f"{draw.__name__} {dtype}": Call(
            lambda xp, draw=draw, dtype=dtype: draw(xp, STREAM, 9999, dtype), lambda: (), ulps=16
        )
        for draw in (random_numbers.normal, random_numbers.truncated_normal)
        for dtype in ("float32", "float64")
    },
    "column sums of halves": Call(
        reductions.column_sums, lambda: (floats(5000, 20, dtype="e"),), ulps=2
    ),
    "group of halves": Call(
        lambda xp, x: fusion.FusedKernel(
            HALVED, "float32", [0], (), fusion.Float16Operands(frozenset([0]), frozenset([0]))
        )(xp, x),
        lambda: (floats(5, 999, dtype="e"),),
        ulps=1,
    ),
    "group with sums of rows": Call(
        lambda xp, x, y: row_fusion.RowKernel(
            CENTRED, [2, 3], [True, False], [(50, 700), (700,)], 2, "f", fusion.Float16Operands()
        )(xp, x, y),
        lambda: (floats(50, 700), floats(700)),
        ulps=64,
    ),
    "group": Call(group("float32", [0, 1]), lambda: (floats(5, 999), floats(5, 999)), ulps=8),
    "group of doubles": Call(group("float64", [0]), lambda: (floats(999, dtype="d"), 1.5), ulps=8),
    "group, summed": Call(group_sum, lambda: (floats(5, 9999), floats(5, 9999)), ulps=100),
    **{
        kind: updated(kind, flags)
        for kind, flags in {
            **dict.fromkeys(optimizers.KINDS, ()),
            **dict.fromkeys(("momentum", "keras_momentum", "adam"), (True,)),
            **dict.fromkeys(("adagrad", "adagrad_v2"), (True,)),
        }.items()
    },
}


def results(call: Call, xp: Any) -> list[np.ndarray]:
    """The call's results on the device of `xp`, as NumPy arrays."""
    RANDOM.seed(0)
    arrays = [xp.asarray(a) if isinstance(a, np.ndarray) else a for a in call.arrays()]
    result = call.function(xp, *arrays)
    result = result if isinstance(result, tuple) else (result,)
    return [each.get() if hasattr(each, "get") else np.asarray(each) for each in result]


def assert_same(call: Call, found: list[np.ndarray], expected: list[np.ndarray]) -> None:
    """Asserts bit equality, or equality within the call's `ulps`."""
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert one.dtype == other.dtype
        if call.ulps and one.dtype.kind == "f":
            tolerance = call.ulps * np.finfo(one.dtype).eps
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
        else:
            np.testing.assert_array_equal(one, other)
