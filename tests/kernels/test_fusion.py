"""Generated elementwise groups compared with NumPy's ufuncs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tfmini  # noqa: F401  (declares the ops)
from tests.kernels import compilers
from tests.kernels.device import xp
from tests.kernels.test_sources import needs_a_compiler
from tests.support import cases
from tests.support.cuda_on_cpu import compile_module, running_in
from tfmini._src.devices.cuda import elementwise, fusion, kernel_sources
from tfmini._src.graph.opdef import registry


@dataclass(frozen=True)
class Step:
    ufunc: Any
    operands: tuple
    target: tuple


X, Y, Z = ("input", 0), ("input", 1), ("input", 2)
A, B, RESULT = ("buffer", 0), ("buffer", 1), ("result", 0)
# tanh(x * y + z) * (x - y), with a buffer used twice
CHAIN = [
    Step(np.multiply, (X, Y), A),
    Step(np.add, (A, Z), A),
    Step(np.subtract, (X, Y), B),
    Step(np.tanh, (A,), A),
    Step(np.multiply, (A, B), RESULT),
]
EXACT = {"float32": 1e-6, "float64": 1e-14}
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, np.inf, -np.inf, np.nan, 1e-30, -7.25, 80.0]


def drawn(shape, dtype, seed=0):
    return xp.asarray(np.random.RandomState(seed).randn(*shape), dtype)


def chain(x, y, z):
    return np.tanh(np.asarray(x) * y + z) * (np.asarray(x) - y)


@cases.in_one_test
@pytest.mark.parametrize("dtype", EXACT)
@pytest.mark.parametrize("shape", [(1,), (3,), (4,), (5, 7), (2, 3, 1000), (0, 3), ()])
def test_elementwise_chain(order, shape, dtype):
    x, y, z = (drawn(shape, dtype, seed) for seed in range(3))
    result = fusion.FusedKernel(CHAIN, dtype, [0, 1, 2])(xp, x, y, z)
    assert result.dtype == dtype
    np.testing.assert_allclose(result, chain(x, y, z), rtol=EXACT[dtype], atol=EXACT[dtype])


@pytest.mark.parametrize("start", range(5))
def test_unaligned_arrays(start):
    buffers = [drawn((100,), "float32", seed) for seed in range(3)]
    kernel = fusion.FusedKernel(CHAIN, "float32", [0, 1, 2])
    x, y, z = (b[start : start + 50] for b in buffers)
    np.testing.assert_allclose(kernel(xp, x, y, z), chain(x, y, z), rtol=1e-6, atol=1e-6)
    x = buffers[0][start:].reshape(-1)[: 2 * 40 : 2]
    result = kernel(xp, x, buffers[1][:40], buffers[2][:40])
    np.testing.assert_allclose(result, chain(x, buffers[1][:40], buffers[2][:40]), rtol=1e-6)


def test_host_and_device_scalars():
    x = drawn((50,), "float32")
    kernel = fusion.FusedKernel(CHAIN, "float32", [0])
    for y, z in ((2.0, np.float32(3)), (xp.asarray(np.float32(2)), 3), (2, xp.asarray([3.0], "f"))):
        np.testing.assert_allclose(kernel(xp, x, y, z), chain(x, 2, 3), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("shape", [(5, 7), (2, 3, 8), (1, 4), (0, 3), ()])
def test_multiple_results(shape):
    """Including a result that later steps read."""
    steps = [
        Step(np.multiply, (X, Y), RESULT),
        Step(np.add, (RESULT, Z), A),
        Step(np.tanh, (A,), ("result", 1)),
    ]
    x, y, z = (drawn(shape, "float32", seed) for seed in range(3))
    product, bent = fusion.FusedKernel(steps, "float32", [0, 1, 2])(xp, x, y, z)
    np.testing.assert_array_equal(product, np.asarray(x) * y)
    np.testing.assert_allclose(bent, np.tanh(np.asarray(x) * y + z), rtol=1e-6)


WIDE = (6, 40)
LAID_OUT = {
    "columns": (lambda a: a[:, 8:20], (6, 12)),
    "every other column": (lambda a: a[:, 1:25:2], (6, 12)),
    "every other row": (lambda a: a[::2, :12], (3, 12)),
    "transposed": (lambda a: a[:, :12].T, (12, 6)),
    "columns of stacked matrices": (lambda a: a.reshape(2, 3, 40)[:, :, 8:20], (2, 3, 12)),
    "rows of stacked matrices": (lambda a: a.reshape(2, 3, 40)[:, 1:], (2, 2, 40)),
    "backwards": (lambda a: a[:, 11::-1], (6, 12)),
}


@cases.in_one_test
@pytest.mark.parametrize("name", LAID_OUT)
@pytest.mark.parametrize("dtype", EXACT)
def test_strided_arrays(order, name, dtype):
    lay, shape = LAID_OUT[name]
    base, y, z = drawn(WIDE, dtype), drawn(shape, dtype, 1), drawn(shape, dtype, 2)
    actual = fusion.FusedKernel(CHAIN, dtype, [0, 1, 2])(xp, lay(base), y, z)
    expected = chain(lay(np.asarray(base)), y, z)
    np.testing.assert_allclose(actual, expected, rtol=EXACT[dtype], atol=EXACT[dtype])


@pytest.mark.parametrize(
    "y_shape", [(12,), (1, 12), (6, 1), (1, 1), (1,), (1, 1, 12), (2, 1, 1), (2, 6, 1)]
)
def test_broadcast_arrays(order, y_shape):
    shape = (2, 6, 12)
    x, y, z = drawn(shape, "float32"), drawn(y_shape, "float32", 1), drawn(shape, "float32", 2)
    kernel = fusion.FusedKernel(CHAIN, "float32", [0, 2], [1])
    if y_shape in ((6, 1), (2, 1, 1)):  # all strides differ
        with pytest.raises(ValueError, match="does not broadcast to"):
            kernel(xp, x, y, z)
        return
    np.testing.assert_allclose(kernel(xp, x, y, z), chain(x, y, z), rtol=1e-6, atol=1e-6)


def test_all_inputs_broadcast():
    x, y = drawn((6, 1), "float32"), drawn((12,), "float32", 1)
    kernel = fusion.FusedKernel([Step(np.add, (X, Y), RESULT)], "float32", [], [0, 1])
    np.testing.assert_array_equal(kernel(xp, x, y, shape=(6, 12)), np.asarray(x) + y)

    for shape in ((5,), (3, 4), (2, 4, 12)):
        assert kernel.launch_for(xp, [drawn(shape, "float32"), y], (6, 12)) is None


def test_output_may_alias_input():
    x, y, z = (drawn((1001,), "float64", seed) for seed in range(3))
    expected = chain(x, y, z)
    actual = fusion.FusedKernel(CHAIN, "float64", [0, 1, 2])(xp, x, y, z, out=y)
    assert actual is y
    np.testing.assert_allclose(y, expected, rtol=1e-14, atol=1e-14)


def test_mismatched_shapes_are_rejected():
    with pytest.raises(ValueError, match="shapes"):
        fusion.FusedKernel(CHAIN, "float32", [0, 1, 2])(
            xp, drawn((4,), "f"), drawn((4,), "f"), drawn((1,), "f")
        )


@pytest.mark.parametrize("shape", [(3, 40), (1001,), (2, 3)])
def test_float16_storage(shape):
    """float32 and float16 in one group, with each step rounded as by NumPy in that dtype."""
    x, y, column = drawn(shape, "float16"), drawn(shape, "float32", 1), drawn(shape[-1:], "float16")
    steps = [
        Step(np.multiply, (X, Z), A),
        Step(np.float16, (A,), ("result", 0)),
        Step(np.add, (("result", 0), Y), ("result", 1)),
    ]
    halves = fusion.Float16Operands(frozenset([0, 2]), frozenset([0]))
    broadcast = [2] if len(shape) > 1 else []
    whole = [i for i in range(3) if i not in broadcast]
    kernel = fusion.FusedKernel(steps, "float32", whole, broadcast, halves)
    product, total = kernel(xp, x, y, column)
    assert (product.dtype, total.dtype) == (np.float16, np.float32)
    np.testing.assert_array_equal(product, x * column)
    np.testing.assert_array_equal(total, (x * column).astype("f") + y)
    summed = fusion.FusedKernel([Step(np.square, (X,), RESULT)], "float32", [0], (), halves)
    squares = x.astype("f") ** 2
    np.testing.assert_allclose(summed.reduced(xp, "add", x), squares.sum(), rtol=1e-5)


@pytest.mark.parametrize("inputs, results", [([], [0]), ([1], [0]), ([0, 1], [1]), ([0, 1], [])])
def test_float16_inputs_and_results(inputs, results):
    """By separate indices: an input may be float16 although the result with the same index is not."""
    kinds = ["float16" if n in inputs else "float32" for n in range(2)]
    x, y = (drawn((3, 40), kind, seed) for seed, kind in enumerate(kinds))
    steps = [Step(np.multiply, (X, Y), RESULT), Step(np.add, (X, Y), ("result", 1))]
    halves = fusion.Float16Operands(frozenset(inputs), frozenset(results))
    result = fusion.FusedKernel(steps, "float32", [0, 1], (), halves)(xp, x, y)
    wide = np.asarray(x, "f"), np.asarray(y, "f")
    for i, expected in enumerate((wide[0] * wide[1], wide[0] + wide[1])):
        kind = np.dtype("float16" if i in results else "float32")
        assert result[i].dtype == kind
        np.testing.assert_array_equal(result[i], expected.astype(kind))


def kernels_of_all_ufuncs(dtype):
    """A single source with a kernel for each function, for a single compilation."""
    texts = []
    for name in elementwise.EXPRESSIONS:
        steps = [Step(getattr(np, name), (X, Y)[: getattr(np, name).nin], RESULT)]
        text = fusion.source(steps, dtype, ["array", "array"])
        texts.append(f"namespace of_{name} {{\n{text.replace(' fused(', f' {name}_(')}\n}}")
        texts.append(f"using of_{name}::{name}_;")
    return "\n".join(texts)


@pytest.mark.parametrize("dtype", EXACT)
def test_each_ufunc_matches_numpy(dtype):
    """All pairs of special values and some numbers."""
    numbers = [*SPECIAL, *np.random.RandomState(0).randn(20) * 3]
    x, y = (a.reshape(-1).astype(dtype) for a in np.meshgrid(numbers, numbers))
    module = compile_module(kernels_of_all_ufuncs(dtype), kernel_sources.OPTIONS)
    for name in elementwise.EXPRESSIONS:
        ufunc = getattr(np, name)
        with np.errstate(all="ignore"):
            expected = ufunc(*(x, y)[: ufunc.nin])
        actual = np.empty_like(x)
        module.launch(f"{name}_", (2,), (64,), [x, y, actual, x.size, False])
        message = f"{name} of {dtype}"
        tolerance = 4 * np.finfo(dtype).eps
        flushed = np.finfo(dtype).tiny if dtype == "float32" else 0  # denormals may be 0
        np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=flushed, err_msg=message)
        if name in ("negative", "absolute", "floor", "rint", "copysign", "remainder", "divide"):
            known = ~np.isnan(expected)
            signs = np.signbit(actual)[known], np.signbit(expected)[known]
            np.testing.assert_array_equal(*signs, err_msg=message)


def test_multiply_add_is_not_contracted():
    """x * y - x * y is 0; a fused multiply-add would leave the rounding error."""
    steps = [
        Step(np.multiply, (X, Y), A),
        Step(np.multiply, (X, Y), B),
        Step(np.subtract, (A, B), RESULT),
    ]
    result = fusion.FusedKernel(steps, "float32", [0, 1])(
        xp, drawn((99,), "f"), drawn((99,), "f", 1)
    )
    assert not result.any()


@cases.in_one_test
@pytest.mark.parametrize("dtype", EXACT)
@pytest.mark.parametrize("shape", [(1,), (5, 7), (3, 700), (2, 3, 3000), (0, 3), (3, 0), ()])
def test_reductions(order, shape, dtype):
    x, y, z = (drawn(shape, dtype, seed) for seed in range(3))
    kernel = fusion.FusedKernel(CHAIN, dtype, [0, 1])
    expected = chain(x.astype("d"), y, 1.5)
    tolerance = {"rtol": 1e-4, "atol": 1e-3} if dtype == "float32" else {"rtol": 1e-9}
    actual = kernel.reduced(xp, "add", x, y, 1.5)
    assert actual.shape == ()
    assert actual.dtype == dtype
    np.testing.assert_allclose(actual, expected.sum(), **tolerance)
    if shape:
        rows = kernel.reduced(xp, "add", x, y, 1.5, rows=True)
        np.testing.assert_allclose(rows, expected.sum(-1), **tolerance)
    if x.size:
        actual = kernel.reduced(xp, "maximum", x, y, xp.asarray(np.array(1.5, dtype)))
        np.testing.assert_allclose(actual, expected.max(), rtol=1e-5)


def test_reductions_are_deterministic_in_any_thread_order():
    x, found = drawn((70_000,), "float32"), set()
    for each in ("forward", "reverse", 3):
        with running_in(each):
            found.add(fusion.FusedKernel(CHAIN, "float32", [0]).reduced(xp, "add", x, 2, 3).item())
    assert len(found) == 1


def test_max_propagates_nan():
    x = drawn((100,), "float32")
    x[70] = np.nan
    kernel = fusion.FusedKernel([Step(np.square, (X,), RESULT)], "float32", [0])
    assert np.isnan(kernel.reduced(xp, "maximum", x))


def test_supported_steps():
    assert fusion.supports(CHAIN, "float32")
    assert not fusion.supports(CHAIN, "float16")
    assert not fusion.supports([Step(np.isnan, (X,), RESULT)], "float32")


def test_cpu_ufuncs_are_supported_on_gpu():
    named = {op.ufunc for op in registry.values() if op.ufunc}
    assert "tanh" in named
    of_floats = {name for name in named if "f->f" in getattr(np, name).types}
    of_floats |= {name for name in named if "ff->f" in getattr(np, name).types}
    assert of_floats <= set(elementwise.EXPRESSIONS)


@needs_a_compiler
@pytest.mark.full
@pytest.mark.parametrize("dtype", EXACT)
def test_generated_source_compiles(dtype):
    steps = [Step(np.add, (X, Y), A)]
    for name in elementwise.EXPRESSIONS:
        steps.append(Step(getattr(np, name), (A, Y)[: getattr(np, name).nin], B))
        steps.append(Step(np.add, (A, B), A))
    steps.append(Step(np.add, (A, Z), RESULT))
    kinds = ["array", "value", "pointer"]
    several = [*steps, Step(np.add, (A, X), ("result", 1))]
    for text in (
        fusion.source(steps, dtype, kinds),
        fusion.source(several, dtype, kinds),
        fusion.source(several, dtype, ["matrix", "array", "pointer"], "int"),
    ):
        code, log = compilers.compiled_elsewhere(text, compilers.ARCHITECTURES[-1])
        assert b"fused" in code
        module = compile_module(text, kernel_sources.OPTIONS)
        assert not compilers.complaints(log, module.max_threads), log
    text = fusion.reduction_source(CHAIN, dtype, ["array", "value", "pointer"], "Sum", "T(0)")
    code, log = compilers.compiled_elsewhere(text, compilers.ARCHITECTURES[0])
    assert b"reduced" in code
    module = compile_module(text, kernel_sources.OPTIONS)
    assert not compilers.complaints(log, module.max_threads), log


@needs_a_compiler
def test_wide_loads_are_generated():
    """A float32 chain moves 16 bytes at a time, according to the PTX."""
    text = fusion.source(CHAIN, "float32", ["array"] * 3)
    assert text.count("float4 w") == 3
    compilers.compiled_elsewhere(text, "sm_90")
