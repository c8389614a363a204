"""Options of a conversion: optional features, and whether the functions called are converted too."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any


class Feature(enum.Enum):
    """An optional rewrite, beyond `if`, `while`, `for`, `and`, `or`, `not` and calls.

    Attributes:
      ALL: all of them.
      AUTO_CONTROL_DEPS: nodes with effects run in the order of the program: in functions of the graph they always do,
        elsewhere this is not there, and refused where it is asked for by its name.
      ASSERT_STATEMENTS: `assert` of a tensor becomes `tf.Assert`.
      BUILTIN_FUNCTIONS: `print` of a tensor becomes a node that prints.
      EQUALITY_OPERATORS: `==` and `!=` of tensors compare their values.
      LISTS: empty lists become lists of tensors, with `append`, `pop`, and items that are assigned.
      NAME_SCOPES: the nodes of a function stand in a name scope with its name.
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
        """All of them."""
        return tuple(cls)

    @classmethod
    def all_but(cls, exclude: Feature | Iterable[Feature]) -> tuple[Feature, ...]:
        """All but one, or some, and without ALL itself."""
        without = {cls.ALL, *([exclude] if isinstance(exclude, Feature) else exclude)}
        return tuple(feature for feature in cls if feature not in without)


@dataclass(frozen=True)
class ConversionOptions:
    """Options for the conversion of a function.

    Attributes:
      recursive: whether the functions that it calls are converted too.
      user_requested: whether the program asked for this function; those that it calls it did not ask for.
      features: the Features in use.
    """

    recursive: bool = True
    user_requested: bool = False
    features: frozenset[Feature] = frozenset()

    def uses(self, feature: Feature) -> bool:
        """Whether a feature is in use."""
        return feature in self.features or Feature.ALL in self.features

    def of_callees(self) -> ConversionOptions:
        """The options for the functions that the converted one calls."""
        return replace(self, user_requested=False)


def as_features(given: Any) -> frozenset[Feature]:
    """The features that a program gave: none, one or several; raises NotImplementedError for AUTO_CONTROL_DEPS."""
    if given is None:
        return frozenset()
    found = frozenset([given] if isinstance(given, Feature) else given)
    if Feature.AUTO_CONTROL_DEPS in found and Feature.ALL not in found:
        raise NotImplementedError(
            "Feature.AUTO_CONTROL_DEPS: tfmini orders nodes with effects in the bodies of tf.function alone; convert "
            "the function by tf.function, or use tf.control_dependencies."
        )
    return found
