"""Optimizer updates of several variables at once, compared with the formulas in double precision."""

import numpy as np
import pytest

from tests.kernels.device import xp
from tests.support import cases
from tests.support.cuda_on_cpu import LaunchError
from tfmini._src.devices.cuda import optimizers

SIZES = [5, 4096, 0, 4097, 1, 9000]


# Formulas from TensorFlow's documentation, on (scalars, flags, slots, gradient) -> new slots.


def gradient_descent(s, _, c, g):
    return (c[0] - s[0] * g,)


def momentum(s, nesterov, c, g):
    rate, by = s
    accum = by * c[1] + g
    return c[0] - rate * (g + by * accum if nesterov[0] else accum), accum


def keras_momentum(s, nesterov, c, g):
    rate, by = s
    accum = by * c[1] - rate * g
    return c[0] + (by * accum - rate * g if nesterov[0] else accum), accum


def adam(s, nesterov, c, g):
    power1, power2, rate, beta1, beta2, epsilon = s
    m, v = beta1 * c[1] + (1 - beta1) * g, beta2 * c[2] + (1 - beta2) * g * g
    alpha = rate * np.sqrt(1 - power2) / (1 - power1)
    ahead = beta1 * m + (1 - beta1) * g if nesterov[0] else m
    return c[0] - alpha * ahead / (np.sqrt(v) + epsilon), m, v


def amsgrad(s, _, c, g):
    power1, power2, rate, beta1, beta2, epsilon = s
    m, v = beta1 * c[1] + (1 - beta1) * g, beta2 * c[2] + (1 - beta2) * g * g
    highest = np.fmax(c[3], v)
    alpha = rate * np.sqrt(1 - power2) / (1 - power1)
    return c[0] - alpha * m / (np.sqrt(highest) + epsilon), m, v, highest


def adamax(s, _, c, g):
    power1, rate, beta1, beta2, epsilon = s
    m, v = beta1 * c[1] + (1 - beta1) * g, np.fmax(beta2 * c[2], np.abs(g))
    return c[0] - rate / (1 - power1) * m / (v + epsilon), m, v


def add_sign(s, _, c, g):
    rate, alpha, decay, beta = s
    m = beta * c[1] + (1 - beta) * g
    return c[0] - rate * (alpha + decay * np.nan_to_num(np.sign(g) * np.sign(m))) * g, m


def power_sign(s, _, c, g):
    rate, logbase, decay, beta = s
    m = beta * c[1] + (1 - beta) * g
    return c[0] - rate * np.exp(logbase * decay * np.nan_to_num(np.sign(g) * np.sign(m))) * g, m


def adagrad(s, update_slots, c, g):
    accum = c[1] + g * g if update_slots[0] else c[1]
    return c[0] - s[0] * g / (np.sqrt(accum) + (s[1] if len(s) > 1 else 0)), accum


def adadelta(s, _, c, g):
    rate, rho, epsilon = s
    accum = rho * c[1] + (1 - rho) * g * g
    step = np.sqrt(c[2] + epsilon) / np.sqrt(accum + epsilon) * g
    return c[0] - rate * step, accum, rho * c[2] + (1 - rho) * step * step


def rmsprop(s, _, c, g):
    rate, rho, by, epsilon = s
    ms = rho * c[1] + (1 - rho) * g * g
    mom = by * c[2] + rate * g / np.sqrt(ms + epsilon)
    return c[0] - mom, ms, mom


def centered_rmsprop(s, _, c, g):
    rate, rho, by, epsilon = s
    mg, ms = rho * c[1] + (1 - rho) * g, rho * c[2] + (1 - rho) * g * g
    mom = by * c[3] + rate * g / np.sqrt(ms - mg * mg + epsilon)
    return c[0] - mom, mg, ms, mom


def ftrl(s, _, c, g):
    rate, l1, l2, *shrinkage, power = s
    pulled = g + 2 * (shrinkage[0] if shrinkage else 0) * c[0]
    accum = c[1] + g * g
    linear = c[2] + pulled - (accum**-power - c[1] ** -power) / rate * c[0]
    quadratic = accum**-power / rate + 2 * l2
    var = np.where(np.abs(linear) > l1, (np.sign(linear) * l1 - linear) / quadratic, 0)
    return var, accum, linear


CASES = {
    "gradient_descent": (gradient_descent, (0.1,), [()]),
    "momentum": (momentum, (0.1, 0.9), [(False,), (True,)]),
    "keras_momentum": (keras_momentum, (0.1, 0.9), [(False,), (True,)]),
    "adam": (adam, (0.9, 0.999, 0.01, 0.9, 0.999, 1e-8), [(False,), (True,)]),
    "adam_with_amsgrad": (amsgrad, (0.9, 0.999, 0.01, 0.9, 0.999, 1e-8), [()]),
    "adamax": (adamax, (0.9, 0.01, 0.9, 0.999, 1e-8), [()]),
    "adagrad": (adagrad, (0.1,), [(True,), (False,)]),
    "adagrad_v2": (adagrad, (0.1, 1e-3), [(True,), (False,)]),
    "adadelta": (adadelta, (1.0, 0.95, 1e-6), [()]),
    "rmsprop": (rmsprop, (0.01, 0.9, 0.5, 1e-8), [()]),
    "centered_rmsprop": (centered_rmsprop, (0.01, 0.9, 0.5, 5.0), [()]),
    "ftrl": (ftrl, (0.1, 0.3, 0.2, -0.5), [()]),
    "ftrl_v2": (ftrl, (0.1, 0.3, 0.2, 0.05, -0.4), [()]),
    "add_sign": (add_sign, (0.1, 1.0, 0.9, 0.8), [()]),
    "power_sign": (power_sign, (0.1, 1.0, 0.9, 0.8), [()]),
}


def drawn(count, dtype):
    """Random arrays for a variable, its slots (positive, like sums of squares) and its gradient."""
    random = np.random.RandomState(0)
    created = []
    for size in SIZES:
        slots = [1 + random.rand(size) for _ in range(count - 1)]
        gradient = random.randn(size)
        gradient[3::7] = np.nan
        created.append([random.randn(size), *slots, gradient])
    return [[xp.asarray(a, dtype) for a in arrays] for arrays in created]


@cases.in_one_test
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind, flags", [(k, f) for k, (*_, each) in CASES.items() for f in each])
def test_updates_match_formula(order, kind, flags, dtype):
    formula, scalars, _ = CASES[kind]
    cells, scalar_count = optimizers.KINDS[kind]
    assert scalar_count == len(scalars)
    variables = drawn(cells, dtype)
    before = [[np.array(a, "d") for a in arrays] for arrays in variables]
    on_device = [xp.asarray(np.array(s, dtype)) for s in scalars]
    optimizers.update(xp, kind, variables, on_device, flags)
    exact = np.array(scalars, dtype).astype("d")
    for found, old in zip(variables, before):
        expected = (*formula(exact, flags, old[:-1], old[-1]), old[-1])
        tolerance = 2e-5 if dtype == "float32" else 1e-12
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def test_all_kinds_are_tested():
    assert set(CASES) == set(optimizers.KINDS)


@pytest.mark.parametrize("count", [1, 63, 64, 65, 200])
def test_any_variable_count(count):
    variables = [
        [xp.asarray(np.full(n % 9, n), "f"), xp.asarray(np.ones(n % 9), "f")] for n in range(count)
    ]
    optimizers.update(xp, "gradient_descent", variables, [xp.asarray(np.float32(0.5))])
    for n, (var, _) in enumerate(variables):
        np.testing.assert_array_equal(var, np.full(n % 9, n - 0.5))


def test_results_are_bitwise_equal_to_cpu():
    """Products and sums are rounded separately, as in NumPy."""
    variables = drawn(2, "float32")
    expected = []
    for var, accum, gradient in variables:
        accum = accum * np.float32(0.9) + gradient
        expected.append((var - accum * np.float32(0.1), accum))
    scalars = [xp.asarray(np.float32(s)) for s in (0.1, 0.9)]
    optimizers.update(xp, "momentum", variables, scalars, [False])
    for found, wanted in zip(variables, expected):
        np.testing.assert_array_equal(found[0], wanted[0])
        np.testing.assert_array_equal(found[1], wanted[1])


def test_empty_variables_launch_nothing(monkeypatch):
    """Empty variables launch no kernel."""
    monkeypatch.setattr(optimizers, "run", lambda *launch: pytest.fail(f"launched {launch}"))
    empty = xp.asarray(np.zeros(0, "f"))
    for variables in ([(empty, empty)], [(empty, empty)] * 70):
        optimizers.update(xp, "gradient_descent", variables, [xp.asarray(np.float32(1))])


def test_short_array_is_reported():
    """The emulation knows which memory a launch may access."""
    var, gradient = xp.asarray(np.zeros(9, "f")), xp.asarray(np.ones(8, "f"))
    with pytest.raises(LaunchError, match="reads 4 bytes"):
        optimizers.update(xp, "gradient_descent", [(var, gradient)], [xp.asarray(np.float32(1))])
