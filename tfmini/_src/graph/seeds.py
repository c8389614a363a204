"""Random seeds: the graph-level and op-level seeds combine into the attrs `seed` and `seed2`."""

from __future__ import annotations

from tfmini._src.graph.default_graph import get_default_graph, graph_of_ops
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.eager.operation_seeds import seeds as eager_seeds
from tfmini._src.graph.public_functions import public

_DEFAULT_GRAPH_SEED = 87654321
_MAX_SEED = 2**31 - 1


@public
def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """Returns the attrs (seed, seed2) of an op with this op-level seed; (None, None) if neither seed is set."""
    graph = graph_of_ops()
    graph_seed = eager_seeds.seed if graph is None else graph._seed
    if graph_seed is not None:
        if op_seed is None:
            if graph is None:
                op_seed = eager_seeds.next()
            else:
                graph._seed_used = True
                op_seed = graph._last_id
        seeds = (graph_seed % _MAX_SEED, op_seed % _MAX_SEED)
    elif op_seed is not None:
        seeds = (_DEFAULT_GRAPH_SEED, op_seed % _MAX_SEED)
    else:
        return None, None
    return (0, _MAX_SEED) if seeds == (0, 0) else seeds


def global_seed() -> int | None:
    """Returns the seed set by `set_random_seed` in the current mode: the default graph's, or eager mode's."""
    graph = graph_of_ops()
    return eager_seeds.seed if graph is None else graph.seed


@public
def set_random_seed(seed: int | None) -> None:
    """Sets the default graph's graph-level seed, from which ops without an op-level seed derive theirs.

    In eager mode, sets the global seed and restarts the sequence of op seeds and the streams of ops that have run.
    """
    if executing_eagerly():
        eager_seeds.set(seed)
    else:
        get_default_graph().seed = seed
