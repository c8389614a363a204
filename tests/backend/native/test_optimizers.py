"""The optimizers' kernels give the bits of numpy's formulas."""

import inspect

import numpy as np
import pytest

from tfmini.backend.native.optimizers import KINDS, update_of
from tfmini.ops.state import update_rules


def formula_of(kind):
    """The formula, the names of its scalars, the place of its gradient among its tensors, its flag."""
    formula = getattr(update_rules, kind)
    names = [*inspect.signature(formula).parameters]
    flags = [n for n in names if n in ("use_nesterov", "update_slots")]
    tensors = [n for n in names[1 + KINDS[kind][0] :] if n not in flags]
    (place,) = [i for i, n in enumerate(tensors) if n in ("grad", "delta")]
    return formula, tensors, place, flags


@pytest.mark.parametrize("dtype", ["f", "d"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_bits_of_the_formula(build, kind, dtype):
    formula, tensors, place, flags = formula_of(kind)
    count, scalar_count = KINDS[kind]
    assert len(tensors) == scalar_count + 1
    rng = np.random.RandomState(len(kind))
    for flag in (False, True) if flags else (False,):
        for size in (4096, 5003):
            cells = list(rng.uniform(0.1, 1, (count, size)).astype(dtype))
            gradient = rng.randn(size).astype(dtype)
            scalars = list(rng.uniform(0.01, 0.9, scalar_count).astype(dtype))
            if kind == "centered_rmsprop":
                cells[2] += cells[1] ** 2
            expected = [cell.copy() for cell in cells]
            arguments = [*scalars[:place], gradient, *scalars[place:]]
            formula(np, *expected, *arguments, **dict.fromkeys(flags, flag))
            assert update_of(kind, dtype)(cells, scalars, gradient, flag)
            for got, wanted in zip(cells, expected):
                np.testing.assert_array_equal(got, wanted)


def test_what_does_not_suit_is_left_alone(build):
    update = update_of("momentum", "f")
    cells = [np.ones(5000, "f"), np.ones(5000, "f")]
    gradient, scalars = np.ones(5000, "f"), [np.float32(0.1), np.float32(0.9)]
    apart = np.ones((5000, 2), "f")[:, 0]
    assert not update([cells[0], apart], scalars, gradient, False)
    assert not update(cells, scalars, np.ones((5000, 1), "f"), False)
    assert not update([c[:10] for c in cells], scalars, gradient[:10], False)
    assert all((cell == 1).all() for cell in cells)
    assert update_of("ftrl", "f") is None
    assert update_of("momentum", np.float16) is None
