"""`tf.contrib.keras`: tf.keras under its name of before 1.4."""

from tfmini.keras import (
    activations,
    applications,
    backend,
    callbacks,
    constraints,
    datasets,
    initializers,
    layers,
    losses,
    metrics,
    models,
    optimizers,
    preprocessing,
    regularizers,
    utils,
    wrappers,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "activations",
    "applications",
    "backend",
    "callbacks",
    "constraints",
    "datasets",
    "initializers",
    "layers",
    "losses",
    "metrics",
    "models",
    "optimizers",
    "preprocessing",
    "regularizers",
    "utils",
    "wrappers",
]

_namespace(globals())
