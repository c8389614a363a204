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
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "CosineDecay",
    "CosineDecayRestarts",
    "LinearCosineDecay",
    "NoisyLinearCosineDecay",
    "PeepholeLSTMCell",
    "SequenceFeatures",
    "export_saved_model",
    "load_from_saved_model",
]

_namespace(globals())
