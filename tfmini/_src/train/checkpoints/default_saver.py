"""The default Saver of a graph, from the SAVERS collection or newly created."""

from __future__ import annotations

from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.train.checkpoints.saver import Saver


def saver_or_default() -> Saver:
    """Returns the Saver in the SAVERS collection, created if missing; raises RuntimeError if there are several."""
    savers = get_collection(GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError(
            f"More than one item in collection {GraphKeys.SAVERS}. Please indicate which one to use by passing it to "
            "the constructor."
        )
    if savers:
        existing: Saver = savers[0]
        return existing
    saver = Saver(sharded=True, allow_empty=True)
    add_to_collection(GraphKeys.SAVERS, saver)
    return saver
