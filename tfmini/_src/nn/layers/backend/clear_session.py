"""Resets the default graph and the Keras state attached to it."""

from __future__ import annotations

from tfmini._src.graph.default_graph import reset_default_graph
from tfmini._src.nn.layers.backend.keras_graph import forget_keras_graph
from tfmini._src.nn.layers.backend.learning_phase import renew_learning_phases
from tfmini._src.nn.layers.backend.session import forget_session
from tfmini._src.nn.layers.backend.unique_object_name import reset_uids


def clear_session() -> None:
    """Replaces the default graph, its session and its name counters with new ones."""
    forget_keras_graph()
    reset_default_graph()
    reset_uids()
    forget_session()
    renew_learning_phases()


def backend() -> str:
    """Returns the name of the backend, "tensorflow"."""
    return "tensorflow"
