"""tf.math: functions of numbers, elementwise and over axes."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.ops.activations import softplus, softsign
from tfmini.ops.arithmetic import (
    add,
    multiply,
    multiply_no_nan,
    pow,
    scalar_mul,
    squared_difference,
    subtract,
)
from tfmini.ops.comparison import (
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    maximum,
    minimum,
    not_equal,
)
from tfmini.ops.complexes import angle, conj, imag, real
from tfmini.ops.confusion import confusion_matrix
from tfmini.ops.contractions import polyval
from tfmini.ops.counting import bincount
from tfmini.ops.division import div_no_nan as divide_no_nan
from tfmini.ops.division import divide, floordiv, floormod, truediv
from tfmini.ops.division import floormod as mod
from tfmini.ops.exponentials import exp, expm1, log, log1p, log_sigmoid, sigmoid, tanh, xdivy, xlogy
from tfmini.ops.incomplete import betainc, igamma, igammac, polygamma, zeta
from tfmini.ops.logic import logical_and, logical_not, logical_or, logical_xor
from tfmini.ops.magnitudes import (
    abs,
    negative,
    reciprocal,
    reciprocal_no_nan,
    rsqrt,
    sign,
    sqrt,
    square,
)
from tfmini.ops.moving import invert_permutation
from tfmini.ops.positions import argmax, argmin
from tfmini.ops.rankings import in_top_k, top_k
from tfmini.ops.reducing import (
    count_nonzero,
    reduce_all,
    reduce_any,
    reduce_euclidean_norm,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_std,
    reduce_sum,
    reduce_variance,
)
from tfmini.ops.regularization import zero_fraction
from tfmini.ops.rounding import ceil, floor, is_finite, is_inf, is_nan, nextafter, rint, round
from tfmini.ops.scans import cumprod, cumsum, cumulative_logsumexp
from tfmini.ops.segments import segment_max, segment_mean, segment_min, segment_prod, segment_sum
from tfmini.ops.softmaxes import log_softmax, softmax
from tfmini.ops.special import (
    bessel_i0,
    bessel_i0e,
    bessel_i1,
    bessel_i1e,
    digamma,
    erf,
    erfc,
    lbeta,
    lgamma,
)
from tfmini.ops.statistics import l2_normalize
from tfmini.ops.sums import accumulate_n, add_n
from tfmini.ops.trigonometry import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    sin,
    sinh,
    tan,
)
from tfmini.ops.unsorted_segments import (
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from tfmini.ops.value_checks import is_non_decreasing, is_strictly_increasing

__all__ = [name for name in globals() if not name.startswith("_")]

__getattr__ = _no_attributes(__name__, globals())
