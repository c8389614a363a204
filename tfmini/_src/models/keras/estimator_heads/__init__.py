"""`tf.estimator`'s newer heads: losses, predictions and metrics of tf.keras, each in its own method.

checks      labels and logits brought into shape head        base of all heads classification_heads,
regression_head, multi_label_head    two classes or several, numbers, classes that do not exclude each other
multi_head     heads side by side

They build on the checks of `tfmini._src.models.estimator.heads` and on tf.keras; `tf.estimator` exports them.
"""

from tfmini._src.models.keras.estimator_heads.classification_heads import (
    BinaryClassHead,
    MultiClassHead,
)
from tfmini._src.models.keras.estimator_heads.head import Head
from tfmini._src.models.keras.estimator_heads.multi_head import MultiHead
from tfmini._src.models.keras.estimator_heads.multi_label_head import MultiLabelHead
from tfmini._src.models.keras.estimator_heads.regression_head import (
    LogisticRegressionHead,
    PoissonRegressionHead,
    RegressionHead,
)

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
