"""`tf.train.Checkpoint` checkpoints, restored by variable name through their object graph."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import DataLossError, NotFoundError
from tfmini._src.train.checkpoints.checkpoint_reader import new_checkpoint_reader
from tfmini._src.train.checkpoints.saveables import checked_saveables, spec_names
from tfmini._src.variables.saveable import SaveableObject

_OBJECTS = "_CHECKPOINTABLE_OBJECT_GRAPH"


def object_keys(prefix: str | None) -> dict[str, str] | None:
    """Returns checkpoint keys by variable name, None for a Saver's checkpoint; raises TypeError without a prefix."""
    try:
        data = new_checkpoint_reader(prefix).get_tensor(_OBJECTS)
    except NotFoundError:
        return None
    try:
        graph = proto.TrackableObjectGraph.FromString(data)
    except proto.parse_errors()[0]:
        raise DataLossError(None, None, f"{_OBJECTS} cannot be parsed: {prefix}") from None
    return {
        attribute.full_name: attribute.checkpoint_key
        for node in graph.nodes
        for attribute in node.attributes
    }


def renamed_saveables(variables: Any, keys: dict[str, str]) -> list[SaveableObject]:
    """Returns SaveableObjects of `variables`, with their names replaced by checkpoint keys."""
    saveables = checked_saveables(variables)
    names = spec_names(saveables)
    missing = sorted(names - set(keys))
    if missing:
        raise NotFoundError(
            None,
            None,
            f"\n\nExisting variables not in the checkpoint: {', '.join(missing)}\n\n"
            "Variables names when this checkpoint was written which don't exist now: "
            f"{', '.join(sorted(set(keys) - names))}\n\n"
            f"({len(names & set(keys))} variable name(s) did match)\n\n"
            "Could not find some variables in the checkpoint (see names above). Saver was attempting to load an "
            "object-based checkpoint (saved using tf.train.Checkpoint or tf.keras.Model.save_weights) using variable "
            "names. If the checkpoint was written with eager execution enabled, it's possible that variable names have "
            "changed (for example missing a '_1' suffix). It's also possible that there are new variables which did "
            "not exist when the checkpoint was written. You can construct a Saver(var_list=...) with only the "
            "variables which previously existed, and if variable names have changed you may need to make this a "
            "dictionary with the old names as keys. If you're using an Estimator, you'll need to return a "
            "tf.train.Saver inside a tf.train.Scaffold from your model_fn.",
        )
    for saveable in saveables:
        for spec in saveable.specs:
            spec.name = keys[spec.name]
    return saveables
