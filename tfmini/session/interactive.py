"""`InteractiveSession`: the default session from its making on."""

from __future__ import annotations

import threading
import warnings
from typing import Any

from tfmini.graph import default
from tfmini.graph.graph import Graph
from tfmini.session.session import BaseSession


class InteractiveSession(BaseSession):
    """A session that is the default one from its making until `close()`, for shells and notebooks.

    Example:
      sess = tf.InteractiveSession()
      print(tf.constant(3.0).eval())
      sess.close()
    """

    _active = 0
    _count_lock = threading.Lock()

    def __init__(
        self, target: str | bytes | None = "", graph: Graph | None = None, config: Any = None
    ):
        super().__init__(target, graph, config)
        with InteractiveSession._count_lock:
            if InteractiveSession._active > 0:
                warnings.warn(
                    "An interactive session is already active. This can cause out-of-memory errors in some "
                    "cases. You must explicitly call `InteractiveSession.close()` to release resources held by "
                    "the other session(s).",
                    stacklevel=2,
                )
            InteractiveSession._active += 1
        self._explicit_graph = graph
        default.sessions.push(self)
        if graph is not None:
            default.graphs.push(graph, graph._device_stack)

    def close(self) -> None:
        """Ends the session; the one before is the default again."""
        super().close()
        if self not in default.sessions.items:
            return
        with InteractiveSession._count_lock:
            InteractiveSession._active -= 1
        default.sessions.remove(self)
        if self._explicit_graph is not None:
            default.graphs.remove(self._explicit_graph)
