"""tf.keras: models of layers that are trained by `fit`, as a graph.

    backend                     `K`: what it is written in
    losses, metrics, optimizers
    mixed_precision             optimizers that scale their loss
    callbacks
    engine                      models: how layers hang together, compiling, loops of training
    layers                      layers beside those that `tf.layers` shares with it
    utils                       progress bars, batches by number ...
    applications                what models of ImageNet want
    preprocessing, datasets     sequences, texts and images as arrays; small data sets

Layers themselves, their weights, calls and masks live below, in `tfmini/layers/`, since `tf.layers` and cells of
recurrent networks are such layers too. Nothing of it loads before `tf.keras` is used.
"""

from tfmini.keras import (
    activations,
    applications,
    backend,
    callbacks,
    constraints,
    datasets,
    estimator,
    experimental,
    initializers,
    layers,
    losses,
    metrics,
    mixed_precision,
    models,
    optimizers,
    preprocessing,
    regularizers,
    utils,
    wrappers,
)
from tfmini.keras.engine.input_layer import Input
from tfmini.keras.engine.model import Model
from tfmini.keras.engine.sequential import Sequential
from tfmini.names.namespaces import namespace as _namespace

__version__ = "2.2.4-tf"

__all__ = [
    "Input",
    "Model",
    "Sequential",
    "activations",
    "applications",
    "backend",
    "callbacks",
    "constraints",
    "datasets",
    "estimator",
    "experimental",
    "initializers",
    "layers",
    "losses",
    "metrics",
    "mixed_precision",
    "models",
    "optimizers",
    "preprocessing",
    "regularizers",
    "utils",
    "wrappers",
]

_namespace(globals())
