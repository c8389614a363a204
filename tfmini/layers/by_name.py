"""Initializers, regularizers, constraints and activations by name: what a layer's string arguments mean."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tfmini.variables import initializers

_keras = {  # those whose defaults are others than in `tf.initializers`
    "RandomNormal": partial(initializers.RandomNormal, stddev=0.05),
    "RandomUniform": partial(initializers.RandomUniform, minval=-0.05, maxval=0.05),
    "TruncatedNormal": partial(initializers.TruncatedNormal, stddev=0.05),
}
_INITIALIZERS: dict[str, Callable] = {
    **_keras,
    "Constant": initializers.Constant,
    "GlorotNormal": initializers.GlorotNormal,
    "GlorotUniform": initializers.GlorotUniform,
    "Identity": initializers.Identity,
    "Ones": initializers.Ones,
    "Orthogonal": initializers.Orthogonal,
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
    "normal": _keras["RandomNormal"],
    "one": initializers.Ones,
    "ones": initializers.Ones,
    "orthogonal": initializers.Orthogonal,
    "random_normal": _keras["RandomNormal"],
    "random_uniform": _keras["RandomUniform"],
    "truncated_normal": _keras["TruncatedNormal"],
    "uniform": _keras["RandomUniform"],
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
    return _found(identifier, _INITIALIZERS, "initializer")


def find_constraint(identifier: Any) -> Any:
    """The constraint that a name stands for; functions are themselves."""
    return _found(identifier, {}, "constraint")


def _found(identifier: Any, known: Mapping[str, Callable], kind: str) -> Any:
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, str):
        identifier = {"class_name": identifier, "config": {}}
    if isinstance(identifier, dict):
        name = identifier["class_name"]
        if name not in known:
            raise ValueError(f"Unknown {kind}: {name}")
        return known[name](**identifier["config"])
    raise ValueError(f"Could not interpret {kind} identifier: {identifier}")
