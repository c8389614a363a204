"""NumPy's elementwise functions of floats as CUDA C++ expressions, with NumPy's rules for NaN and signs.

The operands {0} and {1} of an expression are variables, which it may use twice. T is their type.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.op_traits.elementwise_formula import Steps, ufunc_step

EXPRESSIONS = {
    "positive": "{0}",
    "negative": "-{0}",
    "absolute": "fabs({0})",
    "sign": "({0} > 0 ? T(1) : {0} < 0 ? T(-1) : {0})",
    "square": "{0} * {0}",
    "sqrt": "sqrt({0})",
    "cbrt": "cbrt({0})",
    "reciprocal": "1 / {0}",
    "exp": "exp({0})",
    "exp2": "exp2({0})",
    "expm1": "expm1({0})",
    "log": "log({0})",
    "log2": "log2({0})",
    "log10": "log10({0})",
    "log1p": "log1p({0})",
    "sin": "sin({0})",
    "cos": "cos({0})",
    "tan": "tan({0})",
    "arcsin": "asin({0})",
    "arccos": "acos({0})",
    "arctan": "atan({0})",
    "sinh": "sinh({0})",
    "cosh": "cosh({0})",
    "tanh": "tanh({0})",
    "arcsinh": "asinh({0})",
    "arccosh": "acosh({0})",
    "arctanh": "atanh({0})",
    "floor": "floor({0})",
    "ceil": "ceil({0})",
    "trunc": "trunc({0})",
    "rint": "rint({0})",
    "add": "{0} + {1}",
    "subtract": "{0} - {1}",
    "multiply": "{0} * {1}",
    "divide": "{0} / {1}",
    "true_divide": "{0} / {1}",
    "floor_divide": "floor_divide({0}, {1})",
    "remainder": "remainder_of({0}, {1})",
    "mod": "remainder_of({0}, {1})",
    "fmod": "fmod({0}, {1})",
    "power": "pow({0}, {1})",
    "maximum": "({0} >= {1} || {0} != {0} ? {0} : {1})",
    "minimum": "({0} <= {1} || {0} != {0} ? {0} : {1})",
    "fmax": "({0} >= {1} || {1} != {1} ? {0} : {1})",
    "fmin": "({0} <= {1} || {1} != {1} ? {0} : {1})",
    "arctan2": "atan2({0}, {1})",
    "hypot": "hypot({0}, {1})",
    "copysign": "copysign({0}, {1})",
    "nextafter": "nextafter({0}, {1})",
    "logaddexp": "log_add_exp({0}, {1})",
}

# Steps other than ufuncs: rounding to float16; selection of the second operand where the first is nonzero, else
# the third.
OTHER_EXPRESSIONS = {"float16": "Half({0})", "where": "({0} != 0 ? {1} : {2})"}

# Functions called in expressions.
FUNCTION_NAMES = ("remainder_of", "floor_divide", "log_add_exp")
FUNCTIONS = """
// The remainder has the sign of b; 0 has it too.
__device__ inline T remainder_of(T a, T b) {
  T rest = fmod(a, b);
  if (rest == 0) return copysign(T(0), b);
  return (b < 0) != (rest < 0) ? rest + b : rest;
}
__device__ inline T floor_divide(T a, T b) {
  if (b == 0) return a / b;
  T rest = fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return copysign(T(0), a / b);
  T whole = floor(quotient);
  return quotient - whole > T(0.5) ? whole + 1 : whole;
}
__device__ inline T log_add_exp(T a, T b) {
  if (a == b) return a + T(0.693147180559945309417232121458176568);
  T difference = a - b;
  if (difference > 0) return a + log1p(exp(-difference));
  if (difference <= 0) return b + log1p(exp(difference));
  return difference;  // NaN
}
"""


def gpu_formula(node: Any) -> Steps:
    """Returns the steps of a node's op on a GPU; empty if the op cannot be fused there."""
    formula, ufunc, inputs = node.opdef.formula, node.opdef.ufunc, len(node.inputs)
    if node.opdef.name == "Cast":
        return (("float16" if node.attrs["DstT"] is dtypes.float16 else "positive", "x"),)
    steps = ufunc_step(ufunc, inputs) if ufunc in EXPRESSIONS else ()
    if formula is not None:
        steps = formula.gpu_steps(inputs)
    if steps and node.attrs.get("T") is dtypes.float16:
        steps = (*steps, ("float16", len(steps) - 1))
    return steps
