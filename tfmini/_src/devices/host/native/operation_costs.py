"""Costs of the elementwise operations in the native library, and the dtypes and sizes for which NumPy is faster."""

from __future__ import annotations

from enum import Enum

from tfmini._src.base.records import dataclass

# Minimum number of elements for a single operation: one pass through memory, one that NumPy computes by series too,
# one that is slower in NumPy.
MIN_ONE_PASS, MIN_SERIES, MIN_SLOW = 1 << 18, 1 << 12, 1 << 10
_MIN_CHOICE = 1 << 11  # minimum for operations in which NumPy mispredicts branches
_MIN_VECTORIZED = 1 << 15  # minimum for operations that NumPy vectorizes


class Doubles(Enum):
    """How an operation is implemented for float64."""

    NATIVE = 0  # vectorized, like the one for float32
    C_LIBRARY = 1  # the C library's function; NumPy is faster if it has vector instructions
    MISSING = 2  # no implementation, because the native one has single precision


@dataclass(frozen=True)
class OperationCost:
    """The cost of an operation, and the cases in which NumPy's function is faster.

    series: cost per element, in units of exp.
    numpy_calls: the number of NumPy calls that compute the same result.
    min_elements: minimum number of elements for a call of this operation alone.
    doubles: its implementation for float64.
    rounds_between: whether TensorFlow's float16 kernel rounds intermediate values, which one operation does not.
    masks: whether NumPy masks a few elements of another operation's result faster.
    numpy_has_halves: whether NumPy has float16 instructions for it, on processors with AVX-512.
    """

    series: int = 0
    numpy_calls: int = 1
    min_elements: int = MIN_ONE_PASS
    doubles: Doubles = Doubles.NATIVE
    rounds_between: bool = False
    masks: bool = False
    numpy_has_halves: bool = False


def _c_library_cost(series: int, min_elements: int = MIN_SLOW) -> OperationCost:
    return OperationCost(
        series, min_elements=min_elements, doubles=Doubles.C_LIBRARY, numpy_has_halves=True
    )


def _multi_step_cost(numpy_calls: int) -> OperationCost:
    return OperationCost(numpy_calls=numpy_calls, rounds_between=True)


_ONE_PASS = OperationCost()
_SINGLE_PRECISION_ONLY = Doubles.MISSING
_COSTS = {
    "exp": OperationCost(1, min_elements=_MIN_VECTORIZED, numpy_has_halves=True),
    "log": OperationCost(1, min_elements=_MIN_VECTORIZED, numpy_has_halves=True),
    "expm1": OperationCost(1, min_elements=MIN_SLOW, numpy_has_halves=True),
    "log1p": OperationCost(1, min_elements=MIN_SLOW, numpy_has_halves=True),
    "tanh": OperationCost(1, min_elements=MIN_SERIES, numpy_has_halves=True),
    "expit": OperationCost(1, min_elements=MIN_SERIES, rounds_between=True),
    "erf": OperationCost(1, min_elements=MIN_SERIES),
    "erfc": OperationCost(3, min_elements=MIN_SLOW),
    "remainder": OperationCost(1, min_elements=MIN_SLOW, rounds_between=True),
    "floor_divide": OperationCost(rounds_between=True),
    "sin": OperationCost(3, 1, _MIN_VECTORIZED, _SINGLE_PRECISION_ONLY, numpy_has_halves=True),
    "cos": OperationCost(3, 1, _MIN_VECTORIZED, _SINGLE_PRECISION_ONLY, numpy_has_halves=True),
    "digamma": OperationCost(7, 1, MIN_SLOW, _SINGLE_PRECISION_ONLY),
    "lgamma": OperationCost(10, 1, MIN_SLOW, _SINGLE_PRECISION_ONLY),
    "softplus": OperationCost(3, 8, MIN_SLOW, rounds_between=True),
    "sqrt": OperationCost(min_elements=_MIN_VECTORIZED),
    "where": OperationCost(min_elements=_MIN_CHOICE, masks=True),
    "to_half": OperationCost(min_elements=MIN_SLOW),
    "tan": _c_library_cost(5),
    "cosh": _c_library_cost(6),
    "sinh": _c_library_cost(12),
    "arctan": _c_library_cost(6, MIN_SERIES),
    "arcsin": _c_library_cost(10, MIN_SERIES),
    "arccos": _c_library_cost(10, MIN_SERIES),
    "arctanh": _c_library_cost(12),
    "arccosh": _c_library_cost(13),
    "arcsinh": _c_library_cost(16),
    "arctan2": OperationCost(7, 1, MIN_SLOW, Doubles.C_LIBRARY),
    "power": OperationCost(10, 1, MIN_SERIES, Doubles.C_LIBRARY),
    "softsign": _multi_step_cost(3),
    "softsign_grad": _multi_step_cost(4),
    "sqrt_grad": _multi_step_cost(3),
    "rsqrt_grad": _multi_step_cost(5),
    "reciprocal_grad": _multi_step_cost(4),
}


def operation_cost(name: str) -> OperationCost:
    """Returns the cost of an operation, which is one pass through memory unless the table says otherwise."""
    return _COSTS.get(name, _ONE_PASS)
