"""Optimizer updates: each by an independent formula, dense and sparse, of reference and resource variables."""

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw, registry

RANDOM = np.random.RandomState(5)
CELLS = {name: RANDOM.uniform(0.2, 1, [4, 3]) for name in ("var", "first", "second", "third")}
GRADIENT = RANDOM.uniform(-1, 1, [4, 3])
ROWS = RANDOM.uniform(-1, 1, [5, 3])
INDICES = np.array([2, 0, 3, 2, 2])
SCALARS = {
    "lr": 0.1,
    "alpha": 0.3,
    "beta1_power": 0.81,
    "beta2_power": 0.98,
    "beta1": 0.9,
    "beta2": 0.99,
    "epsilon": 1e-3,
    "rho": 0.9,
    "momentum": 0.8,
    "l1": 0.05,
    "l2": 0.02,
    "l2_shrinkage": 0.03,
    "lr_power": -0.5,
    "logbase": 1.2,
    "sign_decay": 0.9,
    "beta": 0.85,
    "global_step": 3,
}


def gradient_descent(s, g, var):
    return (var - s["alpha"] * g,)


def momentum(s, g, var, accum):
    accum = s["momentum"] * accum + g
    if s.get("use_nesterov"):
        return var - s["lr"] * (g + s["momentum"] * accum), accum
    return var - s["lr"] * accum, accum


def keras_momentum(s, g, var, accum):
    accum = s["momentum"] * accum - s["lr"] * g
    if s.get("use_nesterov"):
        return var + s["momentum"] * accum - s["lr"] * g, accum
    return var + accum, accum


def moments(s, g, m, v):
    m = s["beta1"] * m + (1 - s["beta1"]) * g
    return m, s["beta2"] * v + (1 - s["beta2"]) * g**2


def adam_rate(s):
    return s["lr"] * np.sqrt(1 - s["beta2_power"]) / (1 - s["beta1_power"])


def adam(s, g, var, m, v):
    m, v = moments(s, g, m, v)
    ahead = s["beta1"] * m + (1 - s["beta1"]) * g if s.get("use_nesterov") else m
    return var - adam_rate(s) * ahead / (np.sqrt(v) + s["epsilon"]), m, v


def adam_with_amsgrad(s, g, var, m, v, vhat):
    m, v = moments(s, g, m, v)
    vhat = np.maximum(vhat, v)
    return var - adam_rate(s) * m / (np.sqrt(vhat) + s["epsilon"]), m, v, vhat


def adamax(s, g, var, m, v):
    m = s["beta1"] * m + (1 - s["beta1"]) * g
    v = np.maximum(s["beta2"] * v, np.abs(g))
    return var - s["lr"] / (1 - s["beta1_power"]) * m / (v + s["epsilon"]), m, v


def adagrad(s, g, var, accum):
    accum = accum + g**2 if s.get("update_slots", True) else accum
    return var - s["lr"] * g / np.sqrt(accum), accum


def adagrad_v2(s, g, var, accum):
    accum = accum + g**2 if s.get("update_slots", True) else accum
    return var - s["lr"] * g / (np.sqrt(accum) + s["epsilon"]), accum


def adagrad_da(s, g, var, sums, squares):
    sums, squares, step = sums + g, squares + g**2, s["global_step"]
    above = sums
    if s["l1"] > 0:
        above = np.sign(sums) * np.maximum(np.abs(sums) - s["l1"] * step, 0)
    return -s["lr"] * above / (s["l2"] * step * s["lr"] + np.sqrt(squares)), sums, squares


def adadelta(s, g, var, accum, accum_update):
    rho, epsilon = s["rho"], s["epsilon"]
    accum = rho * accum + (1 - rho) * g**2
    update = np.sqrt(accum_update + epsilon) / np.sqrt(accum + epsilon) * g
    return var - s["lr"] * update, accum, rho * accum_update + (1 - rho) * update**2


def rmsprop(s, g, var, ms, mom):
    ms = s["rho"] * ms + (1 - s["rho"]) * g**2
    mom = s["momentum"] * mom + s["lr"] * g / np.sqrt(ms + s["epsilon"])
    return var - mom, ms, mom


def centered_rmsprop(s, g, var, mg, ms, mom):
    ms = s["rho"] * ms + (1 - s["rho"]) * g**2
    mg = s["rho"] * mg + (1 - s["rho"]) * g
    mom = s["momentum"] * mom + s["lr"] * g / np.sqrt(ms - mg**2 + s["epsilon"])
    return var - mom, mg, ms, mom


def ftrl(s, g, var, accum, linear, shrinkage=0):
    larger, power = accum + g**2, -s["lr_power"]
    linear = linear + g + 2 * shrinkage * var - (larger**power - accum**power) / s["lr"] * var
    excess = np.sign(linear) * s["l1"] - linear
    var = np.where(np.abs(linear) > s["l1"], excess / (larger**power / s["lr"] + 2 * s["l2"]), 0)
    return var, larger, linear


def ftrl_v2(s, g, *cells):
    return ftrl(s, g, *cells, shrinkage=s["l2_shrinkage"])


def proximal(s, candidate, rate):
    shrunk = np.sign(candidate) * np.maximum(np.abs(candidate) - rate * s["l1"], 0)
    return shrunk / (1 + s["l2"] * rate)


def proximal_gradient_descent(s, g, var):
    return (proximal(s, var - s["alpha"] * g, s["alpha"]),)


def proximal_adagrad(s, g, var, accum):
    accum = accum + g**2
    rate = s["lr"] / np.sqrt(accum)
    return proximal(s, var - rate * g, rate), accum


def agreement(s, g, m):
    m = s["beta"] * m + (1 - s["beta"]) * g
    return m, s["sign_decay"] * np.sign(g) * np.sign(m)


def add_sign(s, g, var, m):
    m, agrees = agreement(s, g, m)
    return var - s["lr"] * (s["alpha"] + agrees) * g, m


def power_sign(s, g, var, m):
    m, agrees = agreement(s, g, m)
    return var - s["lr"] * np.exp(s["logbase"] * agrees) * g, m


# kind -> (its formula, [attrs or scalars with an effect])
KINDS = {
    "GradientDescent": (gradient_descent, []),
    "Momentum": (momentum, [{"use_nesterov": True}]),
    "KerasMomentum": (keras_momentum, [{"use_nesterov": True}]),
    "Adam": (adam, [{"use_nesterov": True}]),
    "AdamWithAmsgrad": (adam_with_amsgrad, []),
    "AdaMax": (adamax, []),
    "Adagrad": (adagrad, [{"update_slots": False}]),
    "AdagradV2": (adagrad_v2, [{"update_slots": False}]),
    "AdagradDA": (adagrad_da, [{"l1": 0.0}]),
    "Adadelta": (adadelta, []),
    "RMSProp": (rmsprop, []),
    "CenteredRMSProp": (centered_rmsprop, []),
    "Ftrl": (ftrl, [{"lr_power": -0.7}]),
    "FtrlV2": (ftrl_v2, [{"lr_power": -0.7}]),
    "ProximalGradientDescent": (proximal_gradient_descent, [{"l1": 0.0}]),
    "ProximalAdagrad": (proximal_adagrad, [{"l1": 0.0}]),
    "AddSign": (add_sign, []),
    "PowerSign": (power_sign, []),
}


def initial(name, cells):
    """The cells' initial values; the centered moment is small, so that the variance is positive."""
    values = [CELLS[key] for key, _ in zip(CELLS, cells)]
    if "CenteredRMSProp" in name:
        values[1:3] = values[1] * 0.1, values[2] + 0.1
    return values


def sample(name, formula, changed, repeat=1):
    """A row for op `name`; `repeat` multiplies the variable's length."""
    inputs = [arg.name for arg in registry[name].inputs]
    settings = {**SCALARS, **changed}
    attrs = {key: value for key, value in changed.items() if key in registry[name].attrs}
    scalars = {key for key in inputs if key in SCALARS}
    cells = [n for n in inputs if n not in scalars and n not in ("grad", "delta", "indices")]

    def values():
        return [np.tile(v, [repeat, 1]) for v in initial(name, cells)]

    def build(tf):
        resource = name.startswith("Resource")
        variables = [tf.Variable(v.astype("f"), use_resource=resource) for v in values()]
        given = iter(v.handle if resource else v._ref() for v in variables)
        arguments = {key: next(given) for key in cells}
        arguments.update((key, np.float32(settings[key])) for key in scalars - {"global_step"})
        if "global_step" in scalars:
            arguments["global_step"] = np.int64(settings["global_step"])
        if "indices" in inputs:
            arguments.update(grad=ROWS.astype("f"), indices=INDICES)
        else:
            key = "delta" if "delta" in inputs else "grad"
            arguments[key] = np.tile(GRADIENT, [repeat, 1]).astype("f")
        made = getattr(raw, name)(**arguments, **attrs)
        return [[v.initializer for v in variables], made, variables]

    def expect():
        found = values()
        if "indices" in inputs:
            for row, index in zip(ROWS, INDICES):
                for array, value in zip(found, formula(settings, row, *(e[index] for e in found))):
                    array[index] = value
        else:
            found = formula(settings, np.tile(GRADIENT, [repeat, 1]), *found)
        return tuple(e.astype("f") for e in found)

    note = ", ".join(f"{key} {value}" for key, value in changed.items())
    return Sample(
        name, expect=expect, build=build, note=note or "in blocks" * (repeat > 1), tolerance=2e-5
    )


SAMPLES = []
for _kind, (_formula, _variants) in KINDS.items():
    _names = [p + a + _kind for p in ("", "Resource") for a in ("Apply", "SparseApply")]
    for _name in _names:
        if _name in registry:
            SAMPLES += [sample(_name, _formula, changed) for changed in ({}, *_variants)]
SAMPLES += [
    sample("ApplyAdam", adam, {}, repeat=50_000),
    sample("ResourceApplyGradientDescent", gradient_descent, {}, repeat=200_000),
]
