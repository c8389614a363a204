"""Node statistics computed by the functions registered for op types."""

from __future__ import annotations

from tfmini._src.base import proto
from tfmini._src.graph.graph import Graph
from tfmini._src.train.profiler import flops  # noqa: F401  importing it registers its functions
from tfmini._src.train.profiler.op_statistics import OpStats, find_statistic


def get_stats_for_node_def(graph: Graph, node: proto.NodeDef, statistic_type: str) -> OpStats:
    """Returns the OpStats of a NodeDef from its registered function; without a function, they have no value."""
    function = find_statistic(node.op, statistic_type)
    return OpStats(statistic_type) if function is None else function(graph, node)
