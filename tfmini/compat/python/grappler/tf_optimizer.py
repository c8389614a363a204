"""`tensorflow.python.grappler.tf_optimizer`: a meta graph's nodes, with constants folded."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import invalid
from tfmini._src.saved_model.graph_util.extract_sub_graph import sub_graph
from tfmini._src.saved_model.graph_util.fold_constants import fold_constants


def OptimizeGraph(
    config_proto: proto.ConfigProto,
    metagraph: proto.MetaGraphDef,
    verbose: bool = True,
    graph_id: bytes = b"graph_to_optimize",
    cluster: Any = None,
) -> proto.GraphDef:
    """The nodes that the collection `train_op` needs, those that compute from constants alone as constants.

    Names of nodes stay. What else `config_proto` requests is left to the session that runs the graph.

    Args:
      config_proto: the configuration of a session; without effect.
      metagraph: the graph; its collection `train_op` names what it is for, tensors or operations.
      verbose, graph_id, cluster: without effect.

    Raises:
      InvalidArgumentError: if the collection `train_op` is empty or not there.
    """
    train_ops = list(metagraph.collection_def["train_op"].node_list.value)
    if not train_ops:
        invalid("train_op not specified in the metagraph")
    names = [name.partition(":")[0] for name in train_ops]
    return sub_graph(fold_constants(metagraph.graph_def, names), names)
