"""Numbers: rounding half away from zero, a common type, octal literals with a leading 0."""

from __future__ import annotations

import decimal
import math
from typing import Any

_EXACT_CONTEXT = decimal.Context(prec=800)


def round_(number: Any, ndigits: int = 0) -> float:
    """Implements `round`, which returns a float, rounding half away from zero."""
    value = float(number)
    if not math.isfinite(value) or ndigits > 330:
        return value
    step = decimal.Decimal((0, (1,), -int(ndigits)))
    decimal_value = decimal.Decimal(value)
    return float(decimal_value.quantize(step, decimal.ROUND_HALF_UP, context=_EXACT_CONTEXT))


def coerce(x: Any, y: Any) -> tuple[Any, Any]:
    """Implements `coerce`, which returns both numbers as their common type."""
    number_class = type(x + y)
    return number_class(x), number_class(y)


def oct_(number: int) -> str:
    """Implements `oct`: "017"."""
    octal = oct(number).replace("0o", "0")
    return "0" if octal == "00" else octal
