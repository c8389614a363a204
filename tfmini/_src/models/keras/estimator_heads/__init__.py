"""`tf.estimator.Head` and its subclasses, with separate methods for losses, predictions and tf.keras metrics.

checks                 validation of labels and logits
head                   base class of heads
classification_heads   binary and multi-class classification
regression_head        regression
multi_label_head       non-exclusive classes
multi_head             several heads

Uses the checks of `tfmini._src.models.estimator.heads` and tf.keras; `tf.estimator` exports the heads.
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
