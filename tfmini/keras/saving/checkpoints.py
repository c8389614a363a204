"""Weights as checkpoints of objects."""

from __future__ import annotations

import os
from typing import Any

from tfmini import proto
from tfmini.errors import NotFoundError
from tfmini.formats.schemes import local_path
from tfmini.layers.weight_values import get_session
from tfmini.train.checkpoints.checkpoint_reader import CheckpointReader
from tfmini.train.checkpoints.checkpoint_state import write_state_file
from tfmini.train.checkpoints.saver import Saver
from tfmini.train.objects.checkpoint import CheckpointLoadStatus, NameBasedSaverStatus
from tfmini.train.objects.object_graph import KEY, GraphSaveable, message_of, walked


def save_weights(model: Any, prefix: str) -> None:
    """Writes a checkpoint of a model and its optimizer, and a file that says that it is the latest."""
    session = get_session()
    message, found = message_of(walked(model))
    folder = os.path.dirname(prefix)
    if folder:
        os.makedirs(local_path(folder), exist_ok=True)
    saver = Saver([*found, GraphSaveable(message)], sharded=True)
    saver.save(session, prefix, write_meta_graph=False, write_state=False)
    write_state_file(folder, prefix, [prefix], relative=True)


def load_weights(model: Any, prefix: str) -> Any:
    """Restores what a model has of a checkpoint; the status, as `tf.train.Checkpoint.restore` gives."""
    reader = CheckpointReader(prefix)
    try:
        message = proto.TrackableObjectGraph.FromString(reader.get_tensor(KEY))
    except NotFoundError:
        found: Any = NameBasedSaverStatus(model, prefix)
        model._save_counter = None
    else:
        found = CheckpointLoadStatus(model, prefix, message)
    found.run_restore_ops(get_session())
    found.assert_nontrivial_match()
    return found
