"""Losses for dual coordinate ascent: the update of an example's dual variable, and the values of the loss.

Shalev-Shwartz and Zhang, "Stochastic dual coordinate ascent methods for regularized loss minimization"
(JMLR 14, 2013); with several partitions, as in Ma et al., "Adding vs. averaging in distributed primal-dual
optimization" (arXiv 1502.03508). All computations use double precision.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.records import dataclass

_NEWTON_STEPS = 10
_MAX_DOUBLE = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Loss:
    """The functions that define a loss.

    moved: (label, dual, prediction, curvature) -> the optimal dual variable with all others fixed. The curvature is
      partitions * example weight * squared norm of the example / l2.
    primal: (prediction, label) -> the loss of an example of weight 1.
    conjugate: (dual, label) -> the loss of the dual problem; its negative is infinite for an infeasible dual variable.
    slope: (prediction, label) -> the derivative of the primal loss.
    smoothness: a constant of adaptive sampling.
    label: (label) -> the label as used in the formulas.
    """

    moved: Callable[[float, float, float, float], float]
    primal: Callable[[float, float], float]
    conjugate: Callable[[float, float], float]
    slope: Callable[[float, float], float]
    smoothness: float
    label: Callable[[float], float]


def quotient(a: float, b: float) -> float:
    """Divides floats as IEEE 754 does, including division by 0."""
    if b:
        return a / b
    return math.nan if not a or math.isnan(a) else math.copysign(math.inf, a)


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _class_sign(label: float) -> float:
    if label == 0.0:
        return -1.0
    if label == 1.0:
        return 1.0
    invalid(
        f"Only labels of 0.0 or 1.0 are supported right now. Found example with label: {label:.6g}"
    )


# Squared -------------------------------------------------------------------------------------------


def _squared_change(label: float, dual: float, prediction: float, curvature: float) -> float:
    return dual + quotient(label - dual - prediction, 1 + curvature)


SQUARED = Loss(
    moved=_squared_change,
    primal=lambda prediction, label: (prediction - label) ** 2 * 0.5,
    conjugate=lambda dual, label: dual * (0.5 * dual - label),
    slope=lambda prediction, label: prediction - label,
    smoothness=1.0,
    label=float,
)


# Logistic ------------------------------------------------------------------------------------------


def _logistic_moved(label: float, dual: float, prediction: float, curvature: float) -> float:
    """Applies Newton's method to find x, where the dual is (1 + tanh x) / 2 / label."""
    x = 0.0
    for _ in range(_NEWTON_STEPS):
        tanh = math.tanh(x)
        value = -2 * label * x - prediction - curvature * (0.5 * (1 + tanh) / label - dual)
        slope = -2 * label - curvature * (1 - tanh * tanh) * 0.5 / label
        x -= quotient(value, slope)
    return 0.5 * (1 + math.tanh(x)) / label


def _logistic_primal(prediction: float, label: float) -> float:
    margin = label * prediction
    return math.log1p(_exp(-abs(margin))) + max(0.0, -margin)


def _logistic_conjugate(dual: float, label: float) -> float:
    portion = dual * label
    complement = 1 - portion
    return (portion * math.log(portion) if portion > 0 else 0.0) + (
        complement * math.log(complement) if complement > 0 else 0.0
    )


LOGISTIC = Loss(
    moved=_logistic_moved,
    primal=_logistic_primal,
    conjugate=_logistic_conjugate,
    slope=lambda prediction, label: -label / (1 + _exp(label * prediction)),
    smoothness=4.0,
    label=_class_sign,
)


# Hinges --------------------------------------------------------------------------------------------


def _admissible(dual: float, label: float) -> float:
    """Returns the dual clipped between 0 and the label."""
    portion = label * dual
    if portion < 0:
        return 0.0
    return label if portion > 1.0 else dual


def _hinge_moved(label: float, dual: float, prediction: float, curvature: float) -> float:
    return _admissible(dual + quotient(label - prediction, curvature), label)


def _hinge_conjugate(dual: float, label: float) -> float:
    portion = dual * label
    return -portion if 0 <= portion <= 1 else _MAX_DOUBLE


HINGE = Loss(
    moved=_hinge_moved,
    primal=lambda prediction, label: max(0.0, 1 - label * prediction),
    conjugate=_hinge_conjugate,
    slope=lambda prediction, label: -label if label * prediction < 1 else 0.0,
    smoothness=0.0,
    label=_class_sign,
)


def _smooth_hinge_moved(label: float, dual: float, prediction: float, curvature: float) -> float:
    return _admissible(dual + quotient(label - prediction - dual, curvature + 1), label)


def _smooth_hinge_primal(prediction: float, label: float) -> float:
    margin_gap = 1 - label * prediction
    if margin_gap <= 0:
        return 0.0
    return margin_gap - 0.5 if margin_gap >= 1 else margin_gap * margin_gap * 0.5


def _smooth_hinge_conjugate(dual: float, label: float) -> float:
    portion = dual * label
    return -portion + 0.5 * dual * dual if 0 <= portion <= 1 else _MAX_DOUBLE


def _smooth_hinge_slope(prediction: float, label: float) -> float:
    margin = label * prediction
    if margin >= 1:
        return 0.0
    return -label if margin <= 0 else prediction - label


SMOOTH_HINGE = Loss(
    moved=_smooth_hinge_moved,
    primal=_smooth_hinge_primal,
    conjugate=_smooth_hinge_conjugate,
    slope=_smooth_hinge_slope,
    smoothness=1.0,
    label=_class_sign,
)


# Poisson -------------------------------------------------------------------------------------------


def _poisson_moved(label: float, dual: float, prediction: float, curvature: float) -> float:
    """Applies Newton's method to find the logarithm of label - dual."""
    remainder = label - dual
    x = math.log(remainder) if remainder > 0 else 0.0
    for _ in range(_NEWTON_STEPS):
        exp = _exp(x)
        value = x - prediction - curvature * (remainder - exp)
        x -= quotient(value, 1 + curvature * exp)
    return label - _exp(x)


def _poisson_conjugate(dual: float, label: float) -> float:
    remainder = label - dual
    if remainder == 0.0:
        return 0.0
    return remainder * (math.log(remainder) - 1) if remainder > 0 else _MAX_DOUBLE


def _checked_poisson_label(label: float) -> float:
    if label < 0.0:
        invalid(
            "Only non-negative labels can be used with the Poisson log loss. "
            f"Found example with label: {label:.6g}"
        )
    return label


POISSON = Loss(
    moved=_poisson_moved,
    primal=lambda prediction, label: _exp(prediction) - prediction * label,
    conjugate=_poisson_conjugate,
    slope=lambda prediction, label: _exp(prediction) - label,
    smoothness=1.0,
    label=_checked_poisson_label,
)

LOSSES = {
    "logistic_loss": LOGISTIC,
    "squared_loss": SQUARED,
    "hinge_loss": HINGE,
    "smooth_hinge_loss": SMOOTH_HINGE,
    "poisson_loss": POISSON,
}
