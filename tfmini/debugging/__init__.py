"""`tf.debugging`: checks that run with the graph."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.ops.asserts import Assert
from tfmini.ops.numerics import check_numerics
from tfmini.ops.numerics import verify_tensor_all_finite as assert_all_finite
from tfmini.ops.rank_checks import assert_rank, assert_rank_at_least, assert_rank_in
from tfmini.ops.rounding import is_finite, is_inf, is_nan
from tfmini.ops.shape_checks import assert_shapes
from tfmini.ops.type_checks import (
    assert_integer,
    assert_proper_iterable,
    assert_same_float_dtype,
    assert_scalar,
    assert_type,
    is_numeric_tensor,
)
from tfmini.ops.value_checks import (
    assert_equal,
    assert_greater,
    assert_greater_equal,
    assert_less,
    assert_less_equal,
    assert_near,
    assert_negative,
    assert_non_negative,
    assert_non_positive,
    assert_none_equal,
    assert_positive,
    is_non_decreasing,
    is_strictly_increasing,
)

__all__ = [
    "Assert",
    "assert_all_finite",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_integer",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
    "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_shapes",
    "assert_type",
    "check_numerics",
    "is_finite",
    "is_inf",
    "is_nan",
    "is_non_decreasing",
    "is_numeric_tensor",
    "is_strictly_increasing",
]

__getattr__ = _no_attributes(__name__, globals())
