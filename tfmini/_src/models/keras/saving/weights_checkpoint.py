"""Saves and loads weights in object-based checkpoints."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import Any

from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.nn.layers.backend.session import follow_initialization, get_session
from tfmini._src.train.checkpoints.checkpoint_management import write_state_file
from tfmini._src.train.object_checkpoint.object_saver import ObjectSaver
from tfmini._src.train.object_checkpoint.restore_status import start_restore


def save_weights(model: Any, prefix: str, extend: Callable[[Any], None] | None = None) -> None:
    """Writes a checkpoint of a model and its optimizer.

    extend: function that adds objects without values to the TrackableObjectGraph of a SavedModel's checkpoint;
      if None, the checkpoint state file is updated instead.
    """
    _saver(model).save(prefix, None if executing_eagerly() else get_session(), extend)
    if extend is None:
        write_state_file(os.path.dirname(prefix), prefix, [prefix], relative=True)


def load_weights(model: Any, prefix: str) -> Any:
    """Restores a model from a checkpoint; returns a status as `tf.train.Checkpoint.restore` does.

    Weights created later are initialized from the checkpoint.
    """
    status = start_restore(_saver(model), prefix)
    status.run_restore_ops(None if executing_eagerly() else get_session())
    status.assert_nontrivial_match()
    if hasattr(status, "is_complete") and not status.is_complete():
        if not executing_eagerly():
            status.restore_later_objects_in(get_session())
        model._pending_status = status
        model_of = weakref.ref(model)

        def restore(session: Any, variables: list) -> None:
            owner = model_of()
            if owner is not None:
                owner._pending_status.run_variable_restores(variables, session)

        follow_initialization(model, restore)
    return status


def _saver(model: Any) -> ObjectSaver:
    """Returns the cached saver of the model, which creates its nodes only once."""
    saver = getattr(model, "_trackable_saver", None)
    if saver is None:
        saver = model._trackable_saver = ObjectSaver(model)
    return saver
