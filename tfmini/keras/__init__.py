"""tf.keras: models of layers that are trained by `fit`, as a graph.

Layers and `tf.keras.backend` are in `tfmini/_src/nn/layers/`, since `tf.layers` and cells of recurrent networks are
such layers too; models, and what trains, saves and feeds them, in `tfmini/_src/models/keras/`, which layers do not
load.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
