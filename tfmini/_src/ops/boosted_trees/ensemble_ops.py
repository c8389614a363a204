"""Ops that create, load, save and describe an ensemble of decision trees."""

from __future__ import annotations

import numpy as np

from tfmini._src.graph.op_traits.handle_kinds import TREE_ENSEMBLE, any_resource
from tfmini._src.graph.opdef import op, op_with_handles
from tfmini._src.graph.shape_inference import checked_ranks, scalar
from tfmini._src.ops.boosted_trees.created_resource import exists, handle_of_node, to_create
from tfmini._src.ops.boosted_trees.tree_ensemble import TreeEnsemble
from tfmini._src.ops.operands import first_number

ensemble_op = op_with_handles(tree_ensemble_handle=TREE_ENSEMBLE)
_LOADED = "tree_ensemble_handle: resource, stamp_token: int64, tree_ensemble_serialized: string ->"


@op(
    "BoostedTreesEnsembleResourceHandleOp",
    "-> resource: resource",
    infer=scalar,
    stateful=True,
    container="",
    shared_name="",
)
def ensemble_handle_op(ctx):
    return handle_of_node(ctx, "tree_ensemble", TreeEnsemble)


@op(
    "IsBoostedTreesEnsembleInitialized",
    "tree_ensemble_handle: resource -> is_initialized: bool",
    infer=checked_ranks(0, result=()),
    stateful=True,
    handles={"tree_ensemble_handle": any_resource},
)
def is_ensemble_initialized_op(xp, ensemble):
    return exists(ensemble, TREE_ENSEMBLE)


@op(
    "BoostedTreesCreateEnsemble",
    _LOADED,
    infer=checked_ranks(0, 0, 0, result=[]),
    stateful=True,
    handles={"tree_ensemble_handle": to_create(TREE_ENSEMBLE)},
)
def create_ensemble_op(xp, ensemble, stamp_token, serialized):
    with ensemble.lock:
        if ensemble.destroyed:
            ensemble.load(first_number(stamp_token, "stamp_token"), serialized)
            ensemble.mark_created()
    return ()


@ensemble_op(
    "BoostedTreesDeserializeEnsemble",
    _LOADED,
    infer=checked_ranks(0, 0, 0, result=[]),
    stateful=True,
)
def deserialize_ensemble_op(xp, ensemble, stamp_token, serialized):
    ensemble.load(first_number(stamp_token, "stamp_token"), serialized)
    return ()


@ensemble_op(
    "BoostedTreesSerializeEnsemble",
    "tree_ensemble_handle: resource -> stamp_token: int64, tree_ensemble_serialized: string",
    infer=checked_ranks(0, result=[(), ()]),
    stateful=True,
)
def serialize_ensemble_op(xp, ensemble):
    with ensemble.lock:
        return np.int64(ensemble.stamp), ensemble.message.SerializeToString()


@ensemble_op(
    "BoostedTreesGetEnsembleStates",
    "tree_ensemble_handle: resource -> stamp_token: int64, num_trees: int32, num_finalized_trees: int32, "
    "num_attempted_layers: int32, last_layer_nodes_range: int32",
    infer=checked_ranks(0, result=[(), (), (), (), (2,)]),
    stateful=True,
)
def get_ensemble_states_op(xp, ensemble):
    with ensemble.lock:
        metadata, growing = ensemble.message.tree_metadata, ensemble.message.growing_metadata
        count = len(ensemble.message.trees)
        is_growing = count > 0 and not metadata[count - 1].is_finalized
        last = growing.last_layer_node_start, max(1, growing.last_layer_node_end)
        return (
            np.int64(ensemble.stamp),
            np.int32(count),
            np.int32(count - is_growing),
            np.int32(growing.num_layers_attempted),
            np.array(last, np.int32),
        )
