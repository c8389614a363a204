"""Creates learning rate schedules from configurations."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.optimizers.cosine_decay import (
    CosineDecay,
    CosineDecayRestarts,
    LinearCosineDecay,
    NoisyLinearCosineDecay,
)
from tfmini._src.models.keras.optimizers.learning_rate_schedule import (
    ExponentialDecay,
    InverseTimeDecay,
    PiecewiseConstantDecay,
    PolynomialDecay,
)
from tfmini._src.nn.layers.deserialize import deserialize_object

_SCHEDULES = {
    cls.__name__: cls
    for cls in (
        *(ExponentialDecay, InverseTimeDecay, PiecewiseConstantDecay, PolynomialDecay),
        *(CosineDecay, CosineDecayRestarts, LinearCosineDecay, NoisyLinearCosineDecay),
    )
}


def deserialize(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
    """Creates a schedule from a configuration.

    Args:
      config: a result of `serialize`.
      custom_objects: custom schedules, by name.

    Raises:
      ValueError: for an unknown schedule.
    """
    return deserialize_object(config, _SCHEDULES, custom_objects, "decay")
