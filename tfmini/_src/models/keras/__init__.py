"""tf.keras: models composed of layers, built as graphs and trained by `fit`.

    losses, metrics, optimizers
    mixed_precision             optimizers that scale their loss
    callbacks
    engine                      models: composition of layers, compiling, training loops
    utils                       progress bars, indexed batches ...
    applications                ImageNet models and their preprocessing
    preprocessing, datasets     sequences, texts and images as arrays; small data sets

Layers and the functions they are built on, `tf.keras.backend`, are in `nn/layers/`, since `tf.layers` and recurrent
cells are Keras layers, too. Nothing is loaded before `tf.keras` is used.
"""

from tfmini._src.models.keras import models  # noqa: F401  it tells what is below of models
from tfmini._src.models.keras.losses import loss_by_name as _losses  # noqa: F401
from tfmini._src.models.keras.metrics import metric_by_name as _metrics  # noqa: F401

__version__ = "2.2.4-tf"
