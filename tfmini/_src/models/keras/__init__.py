"""tf.keras: models of layers, built as graphs and trained by `fit`.

    losses, metrics, optimizers
    mixed_precision             dtype policies and loss scaling
    callbacks
    engine                      layer composition, compiling, training loops
    utils                       progress bars, indexed batches ...
    applications                ImageNet models and their preprocessing
    preprocessing, datasets     sequences, text and images as arrays; small datasets

Layers and `tf.keras.backend` are in `nn/layers/`, since `tf.layers` and recurrent cells are Keras layers,
too. All modules are loaded on first use of `tf.keras`.
"""

from tfmini._src.models.keras import models  # noqa: F401  importing it registers models with the lower layers
from tfmini._src.models.keras.losses import loss_by_name as _losses  # noqa: F401
from tfmini._src.models.keras.metrics import metric_by_name as _metrics  # noqa: F401

__version__ = "2.2.4-tf"
