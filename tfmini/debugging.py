"""`tf.debugging`: checks that run with the graph."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.checks.asserts import Assert
from tfmini.ops.checks.numerics import check_numerics
from tfmini.ops.checks.numerics import verify_tensor_all_finite as assert_all_finite
from tfmini.ops.checks.rank_checks import assert_rank, assert_rank_at_least, assert_rank_in
from tfmini.ops.checks.shape_checks import assert_shapes
from tfmini.ops.checks.type_checks import (
    assert_integer,
    assert_proper_iterable,
    assert_same_float_dtype,
    assert_scalar,
    assert_type,
    is_numeric_tensor,
)
from tfmini.ops.checks.value_checks import (
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
from tfmini.ops.math.rounding import is_finite, is_inf, is_nan

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

_namespace(globals())
