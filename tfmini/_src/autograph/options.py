"""Conversion options: optional features, and whether called functions are also converted."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any


class Feature(enum.Enum):
    """Optional rewrite beyond `if`, `while`, `for`, `and`, `or`, `not` and calls.

    Attributes:
      ALL: all features.
      AUTO_CONTROL_DEPS: side effects run in program order: always the case in graph functions; not supported elsewhere,
        and rejected if requested by name.
      ASSERT_STATEMENTS: `assert` of a tensor becomes `tf.Assert`.
      BUILTIN_FUNCTIONS: `print` of a tensor becomes a node that prints.
      EQUALITY_OPERATORS: `==` and `!=` of tensors compare their values.
      LISTS: empty lists become tensor lists, with `append`, `pop` and item assignment.
      NAME_SCOPES: a function's nodes are in a name scope of its name.
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """Returns all features."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Feature | Iterable[Feature]) -> tuple[Feature, ...]:
        """Returns all features but one or some, and without ALL itself."""
        without = {cls.ALL, *([exclude] if isinstance(exclude, Feature) else exclude)}
        return tuple(feature for feature in cls if feature not in without)


@dataclass(frozen=True)
class ConversionOptions:
    """Options of a function's conversion.

    Attributes:
      recursive: whether called functions are also converted.
      user_requested: whether the program requested this function's conversion; false for its callees.
      features: the enabled Features.
    """

    recursive: bool = True
    user_requested: bool = False
    features: frozenset[Feature] = frozenset()

    def uses(self, feature: Feature) -> bool:
        """Whether a feature is enabled."""
        return feature in self.features or Feature.ALL in self.features

    def callee_options(self) -> ConversionOptions:
        """Returns the options for the callees of a converted function."""
        return replace(self, user_requested=False)


def as_features(value: Any) -> frozenset[Feature]:
    """Converts None, one or several features to Features; raises NotImplementedError for AUTO_CONTROL_DEPS."""
    if value is None:
        return frozenset()
    features = frozenset([value] if isinstance(value, Feature) else value)
    if Feature.AUTO_CONTROL_DEPS in features and Feature.ALL not in features:
        raise NotImplementedError(
            "Feature.AUTO_CONTROL_DEPS: tfmini orders side effects only in tf.function bodies; use tf.function or "
            "tf.control_dependencies."
        )
    return features
