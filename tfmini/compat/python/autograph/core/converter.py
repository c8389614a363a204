"""`tensorflow.python.autograph.core.converter`: conversion options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tfmini._src.autograph import options
from tfmini._src.autograph.options import Feature

__all__ = ["STANDARD_OPTIONS", "ConversionOptions", "Feature"]


@dataclass(frozen=True)
class ConversionOptions:
    """Options for the conversion of a function.

    Attributes:
      recursive: whether the functions that it calls are converted too.
      user_requested: whether the program requested the conversion; if so, library functions are converted too.
      internal_convert_user_code: whether the function itself is converted.
      optional_features: None, or one or more Features.
    """

    recursive: bool = False
    user_requested: bool = False
    internal_convert_user_code: bool = True
    optional_features: Any = Feature.ALL

    def __post_init__(self) -> None:
        features = self.optional_features
        several = [features] if isinstance(features, Feature) else features or ()
        object.__setattr__(self, "optional_features", frozenset(several))

    def uses(self, feature: Feature) -> bool:
        """Whether a feature is enabled."""
        return self.of_function().uses(feature)

    def call_options(self) -> ConversionOptions:
        """Returns the options for the functions that the converted function calls."""
        return ConversionOptions(self.recursive, False, self.recursive, self.optional_features)

    def of_function(self) -> options.ConversionOptions:
        """Returns the options in AutoGraph's format."""
        return options.ConversionOptions(
            self.internal_convert_user_code, self.user_requested, self.optional_features
        )


STANDARD_OPTIONS = ConversionOptions(
    user_requested=False, internal_convert_user_code=True, recursive=True, optional_features=None
)
