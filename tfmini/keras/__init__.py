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

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
