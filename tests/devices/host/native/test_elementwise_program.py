"""Elementwise programs, compared with NumPy in higher precision."""

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases
from tests.support.lazy_modules import scipy
from tfmini._src.devices.host import denormals
from tfmini._src.devices.host.native import elementwise_program, library
from tfmini._src.devices.host.native.elementwise_program import (
    NativeProgram,
    convert_floats,
    evaluate_series,
    max_registers,
    operations,
)
from tfmini._src.devices.numpy.matrix_strides import strides_as_matrix

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 88.8, -104.0, 200.0, -200.0, 1e-3, -1e-3]
ONE = ("positive", "negative", "absolute", "sign", "square", "sqrt", "reciprocal", "exp", "expm1")
ONE += ("log", "log1p", "tanh", "expit", "erf", "floor", "softsign")
TWO = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "fmax", "fmin")
COMPARISONS = ("greater", "greater_equal", "less", "less_equal", "equal", "not_equal")
TWO += ("remainder", "larger", "smaller", "softsign_grad")
EXACT = {"add", "subtract", "multiply", "divide", "maximum", "minimum", "fmax", "fmin", "sqrt"}
EXACT |= {"positive", "negative", "absolute", "sign", "square", "reciprocal", "remainder"}
EXACT |= {"floor", "larger", "smaller", "softsign", "softsign_grad"}


def run(steps, inputs, registers, shape, results=1, parallel=1 << 16):
    """Runs a program; inputs broadcast to `shape` as matrices."""
    dtype = inputs[-1].dtype
    arrays = [np.asarray(each, each.dtype if each.dtype == bool else dtype) for each in inputs]
    dtypes = [dtype] * results if isinstance(results, int) else results
    steps = [(*step[:-1], *[step[-2]] * (5 - len(step)), step[-1]) for step in steps]
    program = NativeProgram(steps, len(arrays), registers, dtypes, dtype, parallel=parallel)
    positions = [(0, *strides_as_matrix(a, shape), a.dtype == bool) for a in arrays]
    positions += [(0, shape[-1] if shape else 1, 1, each is bool) for each in dtypes]
    return program(arrays, NativeProgram.position_bytes(positions), shape)


def apply(name, *operands, result=1):
    count = len(operands)
    (out,) = run(
        [(operations()[name], *range(count), count)], operands, count + 1, operands[0].shape, result
    )
    return out


def test_all_operations_are_tested(build):
    tested = {*ONE, *TWO, *COMPARISONS, *GRADIENTS, *IN_DOUBLES, *PAIRS, *POWERS}
    tested |= {"where", "softplus", "igamma_slope", "betainc", "to_half"}
    assert tested == {*operations()}


def values(dtype, seed):
    rng = np.random.RandomState(seed)
    small, wide = rng.uniform(-2, 2, 5000), rng.uniform(-80, 80, 5000)
    return np.concatenate([small, wide, np.exp(wide), SPECIAL]).astype(dtype)


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", ONE)
def test_unary_functions_are_accurate_to_two_ulp(build, name, dtype):
    x = values(dtype, 1)
    if name in ("log", "log1p", "sqrt"):
        x = np.concatenate([np.abs(x), np.asarray(SPECIAL, dtype)])
    function = OWN.get(name) or getattr(np, name)
    check(function, apply(name, x), x)


@pytest.mark.skipif(not denormals.FLUSHES, reason="this processor is not told to flush")
def test_worker_threads_inherit_denormal_flushing(build):
    x = np.full((1 << 10, 1 << 10), 1.5e-38, "f")
    half = np.full_like(x, 0.5)

    def halved():
        (out,) = run([(operations()["multiply"], 0, 1, 2)], [x, half], 3, x.shape, parallel=1)
        return np.count_nonzero(out)

    assert halved() == x.size  # by threads started here
    for _ in range(30):  # which thread does a part is unspecified
        with denormals.flush_denormals():
            assert halved() == 0
        assert halved() == x.size


@pytest.mark.parametrize("name", ["multiply", "subtract"])
def test_unknown_array_layout_passes_addresses(build, name, monkeypatch):
    """Addresses are passed in place of array objects."""
    monkeypatch.setattr(elementwise_program, "HANDLE_FIELD", -1)
    monkeypatch.setattr(elementwise_program, "handle", library.address)
    x, y = values("f", 2), values("f", 3)[::-1].copy()
    check(getattr(np, name), apply(name, x, y), x, y)


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", TWO)
def test_binary_functions(build, name, dtype):
    function = OWN.get(name) or getattr(np, name)
    x, y = values(dtype, 2), values(dtype, 3)[::-1].copy()
    check(function, apply(name, x, y), x, y)
    pairs = np.array(np.meshgrid(SPECIAL, SPECIAL), dtype).reshape(2, -1)
    check(function, apply(name, *pairs), *pairs)


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_return_floats_or_booleans(build, name, dtype):
    x, y = np.array(np.meshgrid(SPECIAL, SPECIAL), dtype).reshape(2, -1)
    expected = getattr(np, name)(x, y)
    np.testing.assert_array_equal(apply(name, x, y), expected.astype(dtype))
    got = apply(name, x, y, result=[bool])
    assert got.dtype == bool
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("size", [1, 1023, 1025, 70_001])
def test_where_accepts_boolean_and_float_masks(build, dtype, size):
    x, y = (np.resize(np.array(SPECIAL, dtype), size)[::step] for step in (1, -1))
    y = y.copy()
    chosen = np.random.RandomState(size).rand(size) < 0.5
    expected = np.where(chosen, x, y)
    for mask in (chosen, chosen.astype(dtype), np.where(chosen, np.nan, 0).astype(dtype)):
        np.testing.assert_array_equal(apply("where", mask, x, y), expected)


GRADIENTS = {
    "sqrt_grad": lambda y, dy: dy * y.dtype.type(0.5) / y,
    "rsqrt_grad": lambda y, dy: (dy * y.dtype.type(-0.5)) * ((y * y) * y),
    "reciprocal_grad": lambda y, dy: -dy * (y * y),
}


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", GRADIENTS)
def test_root_gradients_preserve_zeros(build, name, dtype):
    y, dy = (a.ravel() for a in np.meshgrid(np.array(SPECIAL, dtype), np.array(SPECIAL, dtype)))
    with np.errstate(all="ignore"):
        expected = np.where(dy == 0, 0, GRADIENTS[name](y, dy))
    np.testing.assert_array_equal(apply(name, y, dy), expected)


@pytest.mark.parametrize("parallel", [1, 1 << 30])
def test_strided_results(build, parallel):
    """Two results are column ranges of one array, like the inputs; the third is contiguous."""
    x = np.random.RandomState(0).rand(700, 66).astype("f")
    n, halves = operations(), [(0, 66, 1), (33, 66, 1)]
    steps = [(n["add"], 0, 1, 1, 2), (n["square"], 2, 2, 2, 4), (n["negative"], 4, 4, 4, 3)]
    program = NativeProgram(steps, 2, 5, ["f", "f", "f"], "f", parallel)
    positions = NativeProgram.position_bytes([*halves, *halves, (0, 33, 1)])
    wide, apart = program([x, x], positions, (700, 33), [(2, (700, 66))])
    total = x[:, :33] + x[:, 33:]
    np.testing.assert_array_equal(wide, np.concatenate([total, -(total * total)], 1))
    np.testing.assert_array_equal(apart, total * total)


def expit(x):
    return 1 / (1 + np.exp(-x))


def erf(x):
    """2 / sqrt(pi) exp(-x^2) (x + 2 x^3 / 3 + 4 x^5 / 15 + ...), a series without sign changes."""
    size = np.minimum(np.abs(x), 7)
    term = total = size
    for n in range(1, 250):
        term = term * (2 * size * size / (2 * n + 1))
        total = total + term
    root = np.sqrt(4 * np.arctan(np.longdouble(1)))
    return np.where(np.isnan(x), x, np.copysign(2 / root * np.exp(-size * size) * total, x))


def larger(x, y):
    """TensorFlow's maximum: x if either operand is NaN."""
    return np.where(x < y, y, x)


def smaller(x, y):
    return np.where(x > y, y, x)


def softsign(x):
    return x / (np.abs(x) + x.dtype.type(1))


def softsign_grad(dy, x):
    return dy / np.square(np.abs(x) + x.dtype.type(1))


OWN = {"expit": expit, "erf": erf, "larger": larger, "smaller": smaller}
OWN |= {"softsign": softsign, "softsign_grad": softsign_grad}


def check(function, got, *operands):
    with np.errstate(all="ignore"):
        if function.__name__ in EXACT:
            np.testing.assert_array_equal(got, function(*operands))
            return
        expected = function(*(a.astype(np.longdouble) for a in operands)).astype(np.longdouble)
        there = np.isfinite(expected) & (np.abs(expected) < np.finfo(got.dtype).max)
        rounded = np.where(there, expected, 0).astype(got.dtype)
        tiny = np.abs(expected) < np.finfo(got.dtype).tiny
        size = np.maximum(np.abs(rounded), np.finfo(got.dtype).tiny)
        unit = np.spacing(size)
        outside = ~there
        rest = expected[outside].astype(got.dtype)
    flushed = (got == 0) & tiny  # a result below the normal range may be 0
    there &= ~flushed
    off = np.abs(got[there].astype(np.longdouble) - expected[there]) / unit[there]
    assert off.max() <= 2
    np.testing.assert_array_equal(got[outside], rest)
    signed = ~np.isnan(expected) & ~tiny
    np.testing.assert_array_equal(np.signbit(got[signed]), np.signbit(expected[signed]))


def digamma(x):
    """scipy's digamma, with TensorFlow's values at the poles."""
    poles = (x <= 0) & (x == np.floor(x))
    return np.where(poles, np.inf, scipy.special.digamma(np.where(poles, 1, x)))


def lgamma(x):
    return np.where(np.isinf(x), np.inf, scipy.special.gammaln(x))


IN_DOUBLES = {"sin": np.sin, "cos": np.cos, "lgamma": lgamma, "digamma": digamma}
IN_DOUBLES |= {
    "i0e": lambda x: scipy.special.i0e(x),
    "i1e": lambda x: scipy.special.i1e(x),
    "erfc": lambda x: scipy.special.erfc(x),
}
HYPERBOLIC = ("sinh", "cosh", "arcsinh", "arccosh", "arctanh")
IN_DOUBLES |= {
    name: getattr(np, name) for name in ("tan", "arcsin", "arccos", "arctan", *HYPERBOLIC)
}
POWERS = {"power": np.power, "arctan2": np.arctan2}


def polygamma(n, x):
    return scipy.special.polygamma(n.astype(int), x)


PAIRS = {
    "igamma": lambda a, x: scipy.special.gammainc(a, x),
    "igammac": lambda a, x: scipy.special.gammaincc(a, x),
    "zeta": lambda x, q: scipy.special.zeta(x, q),
    "polygamma": polygamma,
}


@pytest.mark.parametrize("name", PAIRS)
def test_binary_special_functions(build, name):
    exponents = np.random.RandomState(0).uniform(-2, 3, (2, 4001))
    x, y = (10**exponents).astype("f")
    if name in ("zeta", "polygamma"):
        x = np.floor(np.minimum(x, 20)) if name == "polygamma" else 1 + x
    with np.errstate(all="ignore"):
        expected = PAIRS[name](x.astype("d"), y.astype("d")).astype("f")
    normal = np.abs(expected) > 1e-35
    np.testing.assert_allclose(apply(name, x, y)[normal], expected[normal], 3e-7)
    some = normal.argmax()
    of_scalars = evaluate_series(name, x[some], y[some])  # NumPy scalars, which are not arrays
    assert of_scalars.shape == ()
    np.testing.assert_allclose(of_scalars, expected[some], 3e-7)


def test_betainc_matches_scipy(build):
    a, b = np.exp(np.random.RandomState(0).uniform(-12, 11, (2, 3000))).astype("f")
    draws = np.random.RandomState(1).beta(a.astype("d"), b.astype("d")).astype("f")
    x = np.where(np.arange(3000) % 2, draws, np.random.RandomState(2).rand(3000).astype("f"))
    expected = scipy.special.betainc(*(each.astype("d") for each in (a, b, x)))
    got, normal = evaluate_series("betainc", a, b, x), expected > 1e-35
    inside = normal & (x > 0) & (x < 1)
    np.testing.assert_allclose(got[inside], expected[inside], 1.2e-7)
    for outside in (
        (0, 1, 0.5),
        (1, -1, 0.5),
        (1, 1, 0),
        (1, 1, 1),
        (1, 1, np.nan),
        (np.nan, 1, 0.5),
    ):
        assert np.isnan(evaluate_series("betainc", *np.float32(outside)))


@np.errstate(all="ignore")
def test_float16_conversions_match_numpy(build):
    """NumPy's bits for all float16 numbers, and for floats next to rounding midpoints; in the library from 1024
    elements on.
    """
    halves = np.arange(1 << 16).astype(np.uint16).view("e")
    wide = halves.astype("f")
    np.testing.assert_array_equal(convert_floats(halves, np.float32), wide)
    middle = np.sort(wide[np.isfinite(wide)])
    middle = (middle[1:] + middle[:-1]) / 2
    around = [np.nextafter(middle, np.float32(sign * np.inf)) for sign in (1, -1)]
    floats = np.concatenate(
        [wide, middle, *around, SPECIAL, [65519.99, 65520, 3e38, 1e-45, -1e-40]]
    )
    floats = floats.astype("f")
    expected = floats.astype("e")
    got = convert_floats(floats, np.float16)
    np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(expected))
    np.testing.assert_array_equal(apply("to_half", floats), expected.astype("f"))
    grid = halves.reshape(256, 256)
    np.testing.assert_array_equal(convert_floats(grid.T[::2], np.float32), grid.T[::2].astype("f"))


@np.errstate(all="ignore")
@pytest.mark.parametrize("shape", [(70, 30), (3, 1 << 16)])
def test_float16_groups_round_each_result(build, shape):
    x, y = (tf.placeholder(tf.float16, [None, shape[1]]) for _ in "xy")
    one = tf.constant(1.0, tf.float16)
    root = tf.sqrt(x * y + one)
    fetches = root, root - x, tf.where(x > y, root, y), tf.tanh(x) / y[:1]
    a, b = (np.random.RandomState(i).rand(*shape).astype("e") for i in (0, 1))
    with tf.Session() as session:
        got = session.run(fetches, {x: a, y: b})
    expected = np.sqrt(a * b + np.float16(1))
    np.testing.assert_array_equal(got[0], expected)
    np.testing.assert_array_equal(got[1], expected - a)
    np.testing.assert_array_equal(got[2], np.where(a > b, expected, b))
    np.testing.assert_allclose(got[3], np.tanh(a) / b[:1], 2e-3)


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("name", POWERS)
def test_power_and_atan2(build, name, dtype):
    random = np.random.RandomState(0)
    numbers = np.array([*SPECIAL, *range(-9, 10), 0.5, -2.5, 1e30, -1e-30, 3e38], dtype)
    pairs = [m.ravel() for m in np.meshgrid(numbers, numbers)]
    drawn = random.normal(0, 3, (2, 5000)).astype(dtype)
    whole = drawn[0], np.round(drawn[1])
    squares, cubes = ((drawn[0], np.full_like(drawn[0], exponent)) for exponent in (2, 3))
    for x, y in (pairs, drawn, whole, squares, cubes):
        with np.errstate(all="ignore"):
            expected = POWERS[name](x.astype("g"), y.astype("g")).astype(dtype)
        got = apply(name, x, y)
        tiny, finite = np.finfo(dtype).tiny, np.isfinite(expected)
        usual = finite & (np.abs(expected) >= tiny)
        np.testing.assert_array_equal(got[~finite], expected[~finite])
        assert (np.abs(got[finite & ~usual]) <= tiny).all()
        assert (np.signbit(got) == np.signbit(expected))[~np.isnan(expected)].all()
        room = np.spacing(np.abs(expected[usual]))
        assert (np.abs(got[usual] - expected[usual]) <= room).all()


@cases.in_one_test
@pytest.mark.parametrize("name", IN_DOUBLES)
@pytest.mark.parametrize("size", [1, 63, 64, 65, 15_013])
def test_float_functions_computed_in_double(build, name, size):
    around = [1 + 1e-7, 1 - 1e-7, 2 + 3e-7, 2 - 1e-7, 1.4616321, 7, 6.9999995, 8, 7.9999995]
    around += [3e38, 1e-38, 1.5707964, 3.1415927]
    inputs = np.concatenate(
        [around, SPECIAL, values("f", 4), np.arange(-9, 9), np.arange(-9, 9) + 0.001]
    )
    x = np.resize(inputs, size).astype("f")
    with np.errstate(all="ignore"):
        expected = IN_DOUBLES[name](x.astype("d"))
        rounded = expected.astype("f")
    got = apply(name, x)
    there = np.isfinite(rounded)
    np.testing.assert_array_equal(got[~there], rounded[~there])
    unit = np.spacing(np.abs(rounded[there]))
    # scipy's own digamma is inaccurate near its zeros and poles.
    assert np.all(np.abs(got[there] - expected[there]) <= 1.5 * unit + 1e-15 * (name == "digamma"))
    signed = there & (rounded == 0)
    np.testing.assert_array_equal(np.signbit(got[signed]), np.signbit(rounded[signed]))


@pytest.mark.parametrize("name", IN_DOUBLES)
def test_double_inputs_have_float_accuracy(build, name):
    x = np.random.RandomState(0).uniform(-30, 40, 1000)
    with np.errstate(invalid="ignore"):
        expected = IN_DOUBLES[name](x)
    np.testing.assert_allclose(apply(name, x), expected, 1e-9, 1e-10)


@pytest.mark.parametrize("dtype, limit", [("f", 13.942385), ("d", 34.04365338911715)])
def test_softplus_is_accurate(build, dtype, limit):
    x = np.concatenate([values(dtype, 5), np.linspace(-50, 50, 999).astype(dtype)])
    got = apply("softplus", x)
    small, large = x < -limit, x > limit
    np.testing.assert_array_equal(got[large], x[large])
    check(np.exp, got[small], x[small])
    assert np.isnan(got[np.isnan(x)]).all()
    between = ~(small | large | np.isnan(x))
    expected, unit = np.log1p(np.exp(x[between].astype("d"))), np.finfo(dtype).eps
    np.testing.assert_allclose(got[between], expected, 4 * unit, 2 * unit)


@pytest.mark.parametrize("size", [1, 5, 1023, 1024, 1025, 100_003])
def test_multi_step_program_spans_blocks(build, size):
    rng = np.random.RandomState(size)
    x, y = rng.uniform(-1, 1, (2, size)).astype("f")
    n = operations()
    # registers: x, y, three, a buffer overwritten in place, another, two results
    steps = [
        (n["multiply"], 0, 1, 3),
        (n["add"], 3, 2, 5),
        (n["square"], 0, 0, 4),
        (n["subtract"], 5, 4, 6),
    ]
    first, second = run(steps, [x, y, np.float32(3)], 7, (size,), results=2)
    np.testing.assert_array_equal(first, x * y + np.float32(3))
    np.testing.assert_array_equal(second, first - x * x)


@pytest.mark.parametrize("parallel", [1, 1 << 30])
def test_column_slices_and_broadcasting(build, parallel):
    wide = np.random.RandomState(0).randn(700, 40).astype("f")
    x, y = wide[:, 3:20], np.ascontiguousarray(wide[:, 20:37])
    subtract = operations()["subtract"]
    for other in (y, wide[0, :17], wide[:, :1], wide[5:6, 2:19], wide[3, 3], wide[:1, :1]):
        got = run([(subtract, 0, 1, 2)], [x, other], 3, x.shape, parallel=parallel)
        np.testing.assert_array_equal(got[0], x - other)
        got = run([(subtract, 1, 0, 2)], [x, other], 3, x.shape, parallel=parallel)
        np.testing.assert_array_equal(got[0], other - x)


@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0), (1, 1), ()])
def test_empty_and_tiny_results(build, shape):
    x = np.full(shape, 2, "f")
    (out,) = run([(operations()["square"], 0, 0, 1)], [x], 2, shape)
    np.testing.assert_array_equal(out, x * x)


def test_elementwise_group_compiles_to_program(build):
    x = tf.placeholder(tf.float32, [None, 100])
    y = tf.sigmoid(x * 2.0) - tf.nn.relu(x) + tf.rsqrt(tf.square(x) + 1.0)
    inputs = np.random.RandomState(0).randn(300, 100).astype("f")
    inputs[0, :4] = [np.nan, np.inf, -np.inf, -0.0]
    with tf.Session() as session:
        got = session.run(y, {x: inputs})
        small = np.concatenate([session.run(y, {x: inputs[i : i + 1]}) for i in range(300)])
    np.testing.assert_allclose(got, small, rtol=1e-5, atol=1e-6)


def test_register_overflow_falls_back_to_numpy(build):
    count = max_registers() + 3
    inputs = [tf.placeholder(tf.float32, [None]) for _ in range(count)]
    total = inputs[0]
    for each in inputs[1:]:
        total = total + each
    arguments = np.random.RandomState(0).uniform(size=(count, 1 << 16)).astype("f")
    with tf.Session() as session:
        got = session.run(total, dict(zip(inputs, arguments)))
    np.testing.assert_allclose(got, arguments.sum(0), rtol=1e-4)


@pytest.mark.parametrize("dtype", ["f", "d"])
def test_arrays_larger_than_cache_are_prefetched(build, dtype):
    """The next block is prefetched during the current one; the last block is partial."""
    x, y = (np.random.RandomState(i).rand(150_001).astype(dtype) for i in (0, 1))
    two, add, multiply = np.asarray(2, dtype), operations()["add"], operations()["multiply"]
    steps = [(multiply, 0, 1, 3), (add, 3, 2, 4), (add, 4, 0, 5)]
    first, second = run(steps, [x, y, two], 6, x.shape, results=2)
    np.testing.assert_array_equal(first, x * y + two)
    np.testing.assert_array_equal(second, x * y + two + x)


def test_kernel_out_of_memory_is_reported(build, monkeypatch):
    """The kernel reports it, and its unwritten results are not read."""
    program = NativeProgram([(operations()["exp"], 0, 0, 0, 1)], 1, 2, ["f"], "f", 1 << 16)
    monkeypatch.setattr(program, "_kernel", lambda *given: False)
    x = np.ones([2, 3], "f")
    with pytest.raises(MemoryError, match="^$"):
        program([x], NativeProgram.position_bytes([(0, 3, 1)] * 2), x.shape)
