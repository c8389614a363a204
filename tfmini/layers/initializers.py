"""Initializers by the names that layers take them by."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from tfmini.layers.identifiers import found
from tfmini.variables import initializers

# A name stands for a smaller deviation than the class of `tf.initializers` has by default.
_normal = partial(initializers.RandomNormal, stddev=0.05)
_uniform = partial(initializers.RandomUniform, minval=-0.05, maxval=0.05)
_truncated = partial(initializers.TruncatedNormal, stddev=0.05)

KNOWN: dict[str, Callable] = {
    "Constant": initializers.Constant,
    "GlorotNormal": initializers.GlorotNormal,
    "GlorotUniform": initializers.GlorotUniform,
    "Identity": initializers.Identity,
    "Ones": initializers.Ones,
    "Orthogonal": initializers.Orthogonal,
    "RandomNormal": _normal,
    "RandomUniform": _uniform,
    "TruncatedNormal": _truncated,
    "VarianceScaling": initializers.VarianceScaling,
    "Zeros": initializers.Zeros,
    "constant": initializers.Constant,
    "glorot_normal": initializers.GlorotNormal,
    "glorot_uniform": initializers.GlorotUniform,
    "he_normal": initializers.he_normal,
    "he_uniform": initializers.he_uniform,
    "identity": initializers.Identity,
    "lecun_normal": initializers.lecun_normal,
    "lecun_uniform": initializers.lecun_uniform,
    "normal": _normal,
    "one": initializers.Ones,
    "ones": initializers.Ones,
    "orthogonal": initializers.Orthogonal,
    "random_normal": _normal,
    "random_uniform": _uniform,
    "truncated_normal": _truncated,
    "uniform": _uniform,
    "zero": initializers.Zeros,
    "zeros": initializers.Zeros,
}


def find_initializer(identifier: Any) -> Any:
    """The initializer that a name, a configuration or a class stands for; functions are themselves.

    Raises:
      ValueError: if there is none of that name, or `identifier` is of another kind.
    """
    if inspect.isclass(identifier):
        return identifier()
    return found(identifier, KNOWN, "initializer")
