"""The chi-squared distribution: sums of squares of standard normal variables."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.gamma import Gamma


class Chi2(Gamma):
    """The chi-squared distribution, `Gamma(concentration=0.5 * df, rate=0.5)`.

    Args:
      df: the degrees of freedom, a float tensor of positive numbers.
      validate_args, allow_nan_stats: as in `tf.distributions.Distribution`.

    Example: `tf.contrib.distributions.Chi2(3.0).mean()` is 3.
    """

    df: Tensor = read_only("The degrees of freedom.")

    @moved
    def __init__(
        self,
        df: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Chi2",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[df]) as name:
            with control_dependencies([ops.assert_positive(df)] if validate_args else []):
                self._df = ops.identity(df, name="df")
            super().__init__(
                concentration=0.5 * self._df,
                rate=ops.constant(0.5, dtype=self._df.dtype),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters

    @classmethod
    def _param_shapes(cls, sample_shape: Any) -> dict[str, Tensor]:
        return {"df": convert_to_tensor(sample_shape, dtype=dtypes.int32)}


class Chi2WithAbsDf(Chi2):
    """Chi-squared distribution with transformed parameter: `Chi2(floor(abs(df)))`."""

    @moved
    def __init__(
        self,
        df: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Chi2WithAbsDf",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[df]) as name:
            whole_df = ops.floor(ops.abs(df, name="abs_df"), name="floor_abs_df")
            super().__init__(whole_df, validate_args, allow_nan_stats, name)
        self._parameters = parameters
