"""`tf.keras.experimental`."""

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
]

_namespace(globals())
