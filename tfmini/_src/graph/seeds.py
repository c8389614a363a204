"""Random seeds: the graph's and an op's together give the attrs `seed` and `seed2`."""

from __future__ import annotations

from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.public_functions import public

_DEFAULT_GRAPH_SEED = 87654321
_MAX_SEED = 2**31 - 1


@public
def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The (seed, seed2) attrs of an op with this seed in the default graph; (None, None) if neither is set."""
    graph = get_default_graph()
    graph_seed = graph.seed
    if graph_seed is not None:
        if op_seed is None:
            op_seed = graph._last_id
        seeds = (graph_seed % _MAX_SEED, op_seed % _MAX_SEED)
    elif op_seed is not None:
        seeds = (_DEFAULT_GRAPH_SEED, op_seed % _MAX_SEED)
    else:
        return None, None
    return (0, _MAX_SEED) if seeds == (0, 0) else seeds


@public
def set_random_seed(seed: int | None) -> None:
    """Sets the graph-level seed of the default graph: ops without a seed of their own derive theirs from it."""
    get_default_graph().seed = seed
