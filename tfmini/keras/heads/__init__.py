"""`tf.estimator`'s newer heads: losses, predictions and metrics of tf.keras on logits, each by a method of its own.

checks      labels and logits brought into shape
head        what all heads share
classes, numbers, labels    two classes or several, numbers, classes that do not exclude each other
several     heads side by side

They stand on the checks of `tfmini.estimator.heads` and on tf.keras; `tf.estimator` shows them.
"""

from tfmini.keras.heads.classes import BinaryClassHead, MultiClassHead
from tfmini.keras.heads.head import Head
from tfmini.keras.heads.labels import MultiLabelHead
from tfmini.keras.heads.numbers import (
    LogisticRegressionHead,
    PoissonRegressionHead,
    RegressionHead,
)
from tfmini.keras.heads.several import MultiHead

__all__ = [
    "BinaryClassHead",
    "Head",
    "LogisticRegressionHead",
    "MultiClassHead",
    "MultiHead",
    "MultiLabelHead",
    "PoissonRegressionHead",
    "RegressionHead",
]
