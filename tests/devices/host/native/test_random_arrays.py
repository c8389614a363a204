"""Kernels on random arrays compared with NumPy: shapes, layouts, alignments, and nonfinite numbers.

Kernels accept contiguous aligned arrays; anything else is left to NumPy without side effects.
"""

import os

import numpy as np
import pytest

from tests.devices.host.native.test_elementwise_program import run
from tests.devices.host.native.test_optimizers import formula_of, scalars_of
from tests.devices.host.native.test_softmax import RTOL
from tests.support import cases
from tfmini._src.devices.host.native import optimizers, rows, softmax
from tfmini._src.devices.host.native.elementwise_program import operations
from tfmini._src.devices.host.native.optimizers import KINDS, update_functions

LAYOUTS = ("plain", "plain", "plain", "read only", "columns", "turned", "one byte off")
MORE = 10 if os.environ.get("TFMINI_TIER") == "full" else 1
NUMBERS = (np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-40, -1e-40, 3e38)


@pytest.fixture(autouse=True)
def low_thresholds(monkeypatch):
    for module in (rows, optimizers):
        monkeypatch.setattr(module, "_MIN_ELEMENTS", 1)
    for module in (rows, softmax):
        monkeypatch.setattr(module, "_MIN_PARALLEL_ELEMENTS", 1 << 10)
    monkeypatch.setattr(rows, "_MIN_SUMMED_COLUMNS", 1)
    monkeypatch.setattr(rows, "_MIN_SORTED_BYTES", 1 << 10)


def shape_of(rng):
    """Rows and columns: often zero or one, seldom many."""
    return tuple(int(n) for n in rng.choice([0, 1, 2, 3, 7, 16, 33, 64, 129, 1000], 2))


def laid_out(rng, array):
    """The array in a random layout, and whether kernels accept it."""
    layout = rng.choice(LAYOUTS)
    if layout == "columns":
        wide = np.repeat(array, 2, axis=-1)
        return wide[..., ::2], wide[..., ::2].flags.c_contiguous
    if layout == "turned":
        turned = np.asfortranarray(array)
        return turned, turned.flags.c_contiguous
    if layout == "one byte off":
        memory = np.empty(array.nbytes + 1, np.uint8)
        off = memory[1:].view(array.dtype).reshape(array.shape)
        off[...] = array
        return off, off.flags.aligned
    array = array.copy()
    array.flags.writeable = layout != "read only"
    return array, True


def numbers(rng, shape, dtype, special=True):
    x = (rng.standard_normal(shape) * 3).astype(dtype)
    if special and rng.random() < 0.5:
        x[rng.random(shape) < 0.05] = dtype(rng.choice(NUMBERS))
    return x


def draws(count):
    for seed in range(count * MORE):
        rng = np.random.default_rng(seed)
        yield rng, shape_of(rng), rng.choice([np.float32, np.float64])


def agree(got, expected, dtype, shape):
    """Whether values are equal, up to the rounding of some operations, including infinities and NaN."""
    tolerance = RTOL["f" if dtype is np.float32 else "d"]
    scale = max(1, shape[1])
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(
            got, expected.astype(dtype), rtol=10 * tolerance, atol=scale * tolerance
        )


@np.errstate(all="ignore")
def test_row_reductions_match_numpy(build):
    for rng, shape, dtype in draws(40):
        x, taken = laid_out(rng, numbers(rng, shape, dtype))
        taken = taken and x.size > 0
        for name, limit in (("fmax", -np.inf), ("fmin", np.inf), ("maximum", -np.inf)):
            got = rows.extremes(name, x, limit)
            assert (got is not None) == taken
            if taken:
                expected = getattr(np, name).reduce(x, axis=1, initial=limit)
                np.testing.assert_array_equal(got, expected)
        got = rows.row_sums(x)
        assert (got is not None) == taken
        if taken:
            there = np.abs(x) < 1e30
            x = np.where(there | ~np.isfinite(x), x, 0)
            agree(rows.row_sums(x), x.astype(np.longdouble).sum(1), dtype, shape)


@np.errstate(all="ignore")
def test_row_gather_and_scatter_match_numpy(build):
    for rng, shape, dtype in draws(40):
        indices = int(rng.integers(1, 50))
        ids = rng.integers(0, indices, shape[0]).astype(rng.choice([np.int32, np.int64]))
        if rng.random() < 0.5:
            ids.sort()
        dtype = rng.choice([dtype, np.int32, np.int64])
        inputs = rng.standard_normal(shape) * 50
        inputs, taken = laid_out(rng, inputs.astype(dtype))
        ids, taken_too = laid_out(rng, ids)
        taken = taken and taken_too and inputs.size > 0
        expected = np.zeros((indices, shape[1]), dtype)
        np.add.at(expected, ids, inputs)
        got = rows.sum_rows(inputs, ids, indices)
        assert (got is not None) == taken
        if taken:
            np.testing.assert_array_equal(got, expected)
        array = np.ones((indices, shape[1]), dtype)
        if inputs.flags.c_contiguous:
            expected = array.copy()
            for position, row in zip(ids.tolist(), inputs):
                expected[position] = row
            done = rows.set_rows(array, ids, inputs)
            np.testing.assert_array_equal(array, expected if done else np.ones_like(array))


def softmax_formulas(x):
    x = x.astype(np.longdouble)
    shifted = x - x.max(1, keepdims=True)
    total = np.exp(shifted).sum(1, keepdims=True)
    return np.exp(shifted) / total, shifted - np.log(total)


@np.errstate(all="ignore")
def test_softmax_matches_formula(build):
    for rng, shape, dtype in draws(40):
        x, taken = laid_out(rng, numbers(rng, shape, dtype))
        taken = taken and x.size > 0
        out = np.empty(shape, dtype)
        expected = softmax_formulas(x) if taken else (None, None)
        for logarithm in (False, True):
            assert softmax.softmax(x, out, logarithm=logarithm) == taken
            if taken:
                agree(out, expected[logarithm], dtype, shape)


@np.errstate(all="ignore")
def test_cross_entropy_matches_formula(build):
    for rng, shape, dtype in draws(40):
        x, taken = laid_out(rng, numbers(rng, shape, dtype, special=rng.random() < 0.3))
        if not x.size:
            assert softmax.cross_entropy(x, np.zeros(shape, dtype)) is None
            continue
        probabilities, logs = softmax_formulas(x)
        classes = rng.integers(0, shape[1], shape[0]).astype(rng.choice([np.int32, np.int64]))
        inputs, taken_too = laid_out(rng, rng.random(shape).astype(dtype))
        got = softmax.cross_entropy(x, inputs)
        assert (got is not None) == (taken and taken_too)
        if got is not None:
            agree(got[0], -(inputs * logs).sum(1), dtype, shape)
            agree(got[1], probabilities - inputs, dtype, shape)
        got = softmax.cross_entropy(x, classes)
        assert (got is not None) == taken
        if taken:
            agree(got[0], -logs[np.arange(shape[0]), classes], dtype, shape)
            agree(got[1], probabilities - np.eye(shape[1])[classes], dtype, shape)


@cases.in_one_test
@np.errstate(all="ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_optimizer_updates_match_formula(build, kind):
    formula, _, place, flags = formula_of(kind)
    count, scalar_count = KINDS[kind]
    for rng, shape, dtype in draws(5):
        flag = bool(flags) and rng.random() < 0.5
        cells = [rng.uniform(0.1, 1, shape).astype(dtype) for _ in range(count)]
        gradient, taken = laid_out(rng, numbers(rng, shape, dtype))
        scalars = scalars_of(kind, rng, dtype)
        expected = [cell.copy() for cell in cells]
        done = update_functions(kind, dtype)([(*cells, gradient)], scalars, flag)
        assert done == (taken and gradient.size > 0)
        if done:
            arguments = [*scalars[:place], gradient, *scalars[place:]]
            formula(np, *expected, *arguments, **dict.fromkeys(flags, flag))
        for got, cell in zip(cells, expected):
            np.testing.assert_array_equal(got, cell)


@np.errstate(all="ignore")
def test_elementwise_programs_match_numpy(build):
    exact = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "fmax", "fmin")
    for rng, shape, dtype in draws(25):
        whole = numbers(rng, (shape[0] + 1, 2 * shape[1] + 1), dtype)
        rows_, columns = shape
        inputs = [
            whole[:rows_, :columns],
            whole[1:, columns : 2 * columns],
            whole[:rows_, -1:],
            whole[0, :columns],
            whole[-1, -1],
            np.ascontiguousarray(whole[:rows_, :columns]),
        ]
        values = [np.broadcast_to(each, shape) for each in inputs]
        steps = []
        for _ in range(int(rng.integers(1, 12))):
            name = str(rng.choice(exact))
            first, second = (int(n) for n in rng.integers(0, len(values), 2))
            steps.append((operations()[name], first, second, len(values)))
            values.append(getattr(np, name)(values[first], values[second]))
        parallel = int(rng.choice([1, 1 << 30]))
        (got,) = run(steps, inputs, len(values), shape, parallel=parallel)
        np.testing.assert_array_equal(got, values[-1])
