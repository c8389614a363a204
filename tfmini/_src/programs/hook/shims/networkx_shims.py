"""networkx before version 3: sparse and dense matrices instead of arrays, subgraphs of components, pickled graphs."""

from __future__ import annotations

import functools
import pickle
import sys
from collections.abc import Callable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from tfmini._src.devices.numpy import scipy

_RETURNING_ARRAYS = (
    *("adjacency_matrix", "incidence_matrix", "laplacian_matrix", "normalized_laplacian_matrix"),
    *("modularity_matrix", "google_matrix"),
)


def return_matrices() -> None:
    """Makes functions return matrices to programs: `*` is their matrix product, and each row is one too."""
    for name in _RETURNING_ARRAYS:
        function = getattr(nx, name, None)
        if function is not None:
            setattr(nx, name, _returning_matrix(function))


def _returning_matrix(function: Callable) -> Callable:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        caller = sys._getframe(1).f_globals.get("__name__", "")
        return result if caller.startswith("networkx.") else _as_matrix(result)

    return call


def _as_matrix(array: Any) -> Any:
    if not scipy.sparse.issparse(array):
        return np.asmatrix(array)
    return getattr(scipy.sparse, f"{array.format}_matrix")(array)


def to_numpy_matrix(*args: Any, **kwargs: Any) -> Any:
    """Returns the adjacency matrix of a graph."""
    return _as_matrix(nx.to_numpy_array(*args, **kwargs))


def to_scipy_sparse_matrix(*args: Any, **kwargs: Any) -> Any:
    """Returns the adjacency matrix of a graph as a sparse matrix."""
    return _as_matrix(nx.to_scipy_sparse_array(*args, **kwargs))


def connected_component_subgraphs(graph: Any, copy: bool = True) -> Iterator[Any]:
    """Yields the connected components of a graph, as graphs."""
    for nodes in nx.connected_components(graph):
        yield graph.subgraph(nodes).copy() if copy else graph.subgraph(nodes)


def read_gpickle(path: Any) -> Any:
    """Reads a pickled graph."""
    with open(path, "rb") as file:
        return pickle.load(file)


def write_gpickle(graph: Any, path: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> None:
    """Pickles a graph into a file."""
    with open(path, "wb") as file:
        pickle.dump(graph, file, protocol)
