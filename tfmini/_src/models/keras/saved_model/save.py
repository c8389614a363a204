"""`model.save(directory, save_format="tf")`: SavedModels for serving and reloading."""

from __future__ import annotations

from typing import Any

from tfmini._src.formats.gfile_functions import exists
from tfmini._src.models.keras.engine.model_functions import check_inputs_are_set
from tfmini._src.models.keras.engine.model_io import confirm_overwrite
from tfmini._src.nn.layers.backend.learning_phase import learning_phase_scope
from tfmini._src.saved_model.objects.save import save as save_objects


def save(
    model: Any, filepath: str, overwrite: bool, include_optimizer: bool, signatures: Any = None
) -> None:
    """Implements `model.save` for directories; raises ValueError if the model's inputs are unknown."""
    if not overwrite and exists(filepath) and not confirm_overwrite(filepath):
        return
    check_inputs_are_set(model)
    optimizer = model.optimizer
    if not include_optimizer:
        model.optimizer = None
        model._untrack("optimizer")
    try:
        with learning_phase_scope(0):
            save_objects(model, filepath, signatures)
    finally:
        if not include_optimizer:
            model.optimizer = optimizer
            if optimizer is not None:
                model._track_trackable(optimizer, "optimizer", overwrite=True)
