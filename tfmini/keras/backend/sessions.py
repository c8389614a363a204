"""The default graph, and starting afresh."""

from __future__ import annotations

from typing import Any

from tfmini.graph.default_graph import get_default_graph, reset_default_graph
from tfmini.layers.learning_phase import renew_learning_phases
from tfmini.layers.naming import reset_uids
from tfmini.layers.weight_values import forget_session


def get_graph() -> Any:
    """The default graph."""
    return get_default_graph()


def clear_session() -> None:
    """Forgets the default graph, its session and its counters; a new one takes its place."""
    reset_default_graph()
    reset_uids()
    forget_session()
    renew_learning_phases()


def backend() -> str:
    """ "tensorflow"."""
    return "tensorflow"
