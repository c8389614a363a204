"""A Keras file as a graph in inference mode, for `export`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tfmini._src.graph.graph import Graph
from tfmini._src.models.keras.models import load_model
from tfmini._src.nn.layers.backend.learning_phase import set_learning_phase
from tfmini._src.nn.layers.backend.session import set_session
from tfmini._src.saved_model.frozen_graph import InitializedSession
from tfmini._src.session.session import Session


@contextlib.contextmanager
def keras_model(path: str) -> Iterator[InitializedSession]:
    """Context manager that yields a Keras model in inference mode, in the default graph.

    Raises:
      ImportError: if h5py is not installed.
      ValueError: if the model cannot be loaded.
    """
    graph = Graph()
    with graph.as_default(), Session(graph=graph) as session:
        set_session(session)
        set_learning_phase(0)
        try:
            model = load_model(path, compile=False)
            inputs, outputs = (
                [tensor.name for tensor in tensors] for tensors in (model.inputs, model.outputs)
            )
            yield InitializedSession(session, inputs, outputs)
        finally:
            set_session(None)
