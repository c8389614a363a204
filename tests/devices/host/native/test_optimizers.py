"""Optimizer kernels are bit-identical to NumPy's formulas."""

import inspect

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.devices.host.native import optimizers
from tfmini._src.devices.host.native.optimizers import KINDS, row_update_functions, update_functions
from tfmini._src.ops.state import optimizer_formulas


def formula_of(kind):
    """The formula, its scalar names, its gradient's index among the tensors, and its flag."""
    formula = getattr(optimizer_formulas, kind)
    names = [*inspect.signature(formula).parameters]
    flags = [n for n in names if n in ("use_nesterov", "update_slots", "by_rows")]
    tensors = [n for n in names[1 + KINDS[kind][0] :] if n not in flags]
    (place,) = [i for i, n in enumerate(tensors) if n in ("grad", "delta")]
    return formula, tensors, place, flags


def scalars_of(kind, rng, dtype):
    """Scalars supported by the kernel: of powers, only the usual one."""
    scalars = list(rng.uniform(0.01, 0.9, KINDS[kind][1]).astype(dtype))
    if kind.startswith("ftrl"):
        scalars[-1] = np.dtype(dtype).type(-0.5)
    return scalars


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("kind", KINDS)
def test_updates_are_bitwise_equal_to_numpy(build, kind, dtype):
    formula, tensors, place, flags = formula_of(kind)
    count, scalar_count = KINDS[kind]
    assert len(tensors) == scalar_count + 1
    rng = np.random.RandomState(len(kind))
    for flag in (False, True) if flags else (False,):
        for size in (4096, 5003):
            cells = list(rng.uniform(0.1, 1, (count, size)).astype(dtype))
            gradient = rng.randn(size).astype(dtype)
            gradient[rng.rand(size) < 0.02] = rng.choice([np.nan, np.inf])
            scalars = scalars_of(kind, rng, dtype)
            if kind == "centered_rmsprop":
                cells[2] += cells[1] ** 2
            expected = [cell.copy() for cell in cells]
            arguments = [*scalars[:place], gradient, *scalars[place:]]
            with np.errstate(all="ignore"):
                formula(np, *expected, *arguments, **dict.fromkeys(flags, flag))
            assert update_functions(kind, dtype)([(*cells, gradient)], scalars, flag)
            for got, wanted in zip(cells, expected):
                np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_duplicate_rows_update_in_order(build, monkeypatch, kind):
    monkeypatch.setattr(optimizers, "_MIN_PARALLEL_ELEMENTS", 1)
    formula, tensors, place, flags = formula_of(kind)
    rng = np.random.RandomState(len(kind))
    for width, count, dtype, threads in ((1, 30, "f", 3), (33, 9, "d", 2), (200, 30, "f", 5)):
        monkeypatch.setattr(optimizers, "threads_for", lambda *_, threads=threads: threads)
        cells = list(rng.uniform(0.1, 1, (KINDS[kind][0], 13, width)).astype(dtype))
        if kind == "centered_rmsprop":
            cells[2] += cells[1] ** 2
        gradient = rng.randn(count, width).astype(dtype)
        gradient[rng.rand(count, width) < 0.02] = rng.choice([np.nan, np.inf, 0])
        ids = rng.randint(0, 13, count).astype("i" if width == 33 else "l")
        scalars = scalars_of(kind, rng, dtype)
        flag = dict.fromkeys(flags, width > 1)
        expected = [cell.copy() for cell in cells]
        with np.errstate(all="ignore"):
            for at, row in zip(ids, gradient):
                arguments = [*scalars[:place], row, *scalars[place:]]
                formula(np, *(cell[at] for cell in expected), *arguments, **flag)
        assert row_update_functions(kind, dtype)(cells, gradient, ids, scalars, any(flag.values()))
        for got, wanted in zip(cells, expected):
            np.testing.assert_array_equal(got, wanted)


def test_unsupported_row_updates_fall_back(build):
    update = row_update_functions("ftrl", "f")
    cells, ids = list(np.ones((3, 5, 4), "f")), np.array([1, 3])
    gradient, scalars = np.ones((2, 4), "f"), [np.float32(v) for v in (0.1, 0, 0, -0.3)]
    assert not update(cells, gradient, ids, scalars, False)  # another power
    scalars[3] = np.float32(-0.5)
    assert not update([c.T for c in cells], gradient, ids, scalars, False)
    assert not update(cells, gradient.T, ids, scalars, False)
    assert not update(cells, gradient.astype("d"), ids, scalars, False)
    assert update(cells, gradient[:0], ids[:0], scalars, False)
    assert all((cell == 1).all() for cell in cells)
    assert row_update_functions("steepest", "f") is None


@pytest.mark.parametrize("sizes", [(3, 70_000, 0, 5003), (1, 2)])
def test_one_call_updates_many_variables(build, sizes):
    rng = np.random.RandomState(0)
    scalars = [np.float32(v) for v in (0.9, 0.99, 0.01, 0.9, 0.99, 1e-8)]
    variables = [tuple(rng.uniform(0.1, 1, (4, size)).astype("f")) for size in sizes]
    expected = [[array.copy() for array in arrays] for arrays in variables]
    for *cells, gradient in expected:
        optimizer_formulas.adam(np, *cells, *scalars, gradient, use_nesterov=False)
    assert update_functions("adam", "f")(variables, scalars, False)
    for arrays, others in zip(variables, expected):
        for got, each in zip(arrays, others):
            np.testing.assert_array_equal(got, each)


def test_unsupported_inputs_fall_back_to_numpy(build):
    update = update_functions("momentum", "f")
    cells = [np.ones(5000, "f"), np.ones(5000, "f")]
    gradient, scalars = np.ones(5000, "f"), [np.float32(0.1), np.float32(0.9)]
    apart = np.ones((5000, 2), "f")[:, 0]
    assert not update([(cells[0], apart, gradient)], scalars, False)
    assert not update([(*cells, np.ones((5000, 1), "f"))], scalars, False)
    assert not update([(*cells, np.float32(1))], scalars, False)
    assert not update([(*(c[:10] for c in cells), gradient[:10])], scalars, False)
    assert not update([(*cells, gradient), (cells[0], apart, gradient)], scalars, False)
    assert all((cell == 1).all() for cell in cells)
    assert update_functions("steepest", "f") is None
    assert update_functions("momentum", np.float16) is None


@pytest.mark.parametrize("kind", ["ftrl", "ftrl_v2"])
def test_other_powers_fall_back_to_numpy(build, kind):
    count, scalar_count = KINDS[kind]
    arrays = [np.ones(4096, "f") for _ in range(count + 1)]
    scalars = [np.float32(0.1)] * (scalar_count - 1)
    assert update_functions(kind, "f")([arrays], [*scalars, np.float32(-0.5)], False)
    before = [array.copy() for array in arrays]
    assert not update_functions(kind, "f")([arrays], [*scalars, np.float32(-0.7)], False)
    for array, old in zip(arrays, before):
        np.testing.assert_array_equal(array, old)
