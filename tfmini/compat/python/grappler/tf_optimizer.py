"""`tensorflow.python.grappler.tf_optimizer`: constant folding of meta graphs."""

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
    """Prunes a graph to the nodes required by the `train_op` collection, and folds constants.

    Node names are unchanged. The session that runs the graph performs the other optimizations in `config_proto`.

    Args:
      config_proto: the configuration of a session; has no effect.
      metagraph: the graph, whose `train_op` collection names the target tensors or operations.
      verbose, graph_id, cluster: have no effect.

    Raises:
      InvalidArgumentError: if the `train_op` collection is empty or missing.
    """
    train_ops = list(metagraph.collection_def["train_op"].node_list.value)
    if not train_ops:
        invalid("train_op not specified in the metagraph")
    names = [name.partition(":")[0] for name in train_ops]
    return sub_graph(fold_constants(metagraph.graph_def, names), names)
