"""`tf.keras.experimental`."""

from tfmini.feature_column.feature_layers import SequenceFeatures
from tfmini.keras.exporting.saved_models import export_saved_model, load_from_saved_model
from tfmini.keras.layers.recurrent.lstm_cell import PeepholeLSTMCell
from tfmini.keras.optimizers.cosine_schedules import (
    CosineDecay,
    CosineDecayRestarts,
    LinearCosineDecay,
    NoisyLinearCosineDecay,
)
from tfmini.keras.premade.linear import LinearModel
from tfmini.keras.premade.wide_and_deep import WideDeepModel
from tfmini.keras.utils.worker_pools import terminate_keras_multiprocessing_pools
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "CosineDecay",
    "CosineDecayRestarts",
    "LinearCosineDecay",
    "LinearModel",
    "NoisyLinearCosineDecay",
    "PeepholeLSTMCell",
    "SequenceFeatures",
    "WideDeepModel",
    "export_saved_model",
    "load_from_saved_model",
    "terminate_keras_multiprocessing_pools",
]

_namespace(globals())
