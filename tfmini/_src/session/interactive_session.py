"""`InteractiveSession`: a session that installs itself as the default on construction."""

from __future__ import annotations

import warnings

from tfmini._src.base import proto
from tfmini._src.base.locks import make_lock
from tfmini._src.base.names.user_line import users_level
from tfmini._src.graph import default_stack
from tfmini._src.graph.graph import Graph
from tfmini._src.session.base_session import BaseSession


class InteractiveSession(BaseSession):
    """A session that is the default from construction until `close()`, for shells and notebooks.

    Only nodes required by a step are placed; without a `config`, GPU memory grows on demand.

    Example:
      sess = tf.InteractiveSession()
      print(tf.constant(3.0).eval())
      sess.close()
    """

    _active = 0
    _count_lock = make_lock()

    def __init__(
        self,
        target: str | bytes | None = "",
        graph: Graph | None = None,
        config: proto.ConfigProto | None = None,
    ):
        super().__init__(target, graph, _interactive_config(config))
        with InteractiveSession._count_lock:
            if InteractiveSession._active > 0:
                warnings.warn(
                    "An interactive session is already active. This can cause out-of-memory errors in some "
                    "cases. You must explicitly call `InteractiveSession.close()` to release resources held by "
                    "the other session(s).",
                    stacklevel=users_level(),
                )
            InteractiveSession._active += 1
        self._explicit_graph = graph
        default_stack.sessions.push(self)
        if graph is not None:
            default_stack.graphs.push(graph, graph._blocks.devices)

    def close(self) -> None:
        """Closes the session and restores the previous default session."""
        super().close()
        if self not in default_stack.sessions.items:
            return
        with InteractiveSession._count_lock:
            InteractiveSession._active -= 1
        default_stack.sessions.remove(self)
        if self._explicit_graph is not None:
            default_stack.graphs.remove(self._explicit_graph)


def _interactive_config(config: proto.ConfigProto | None) -> proto.ConfigProto:
    """Returns the config with the interactive session's options set."""
    merged = proto.ConfigProto()
    if config is None:
        merged.gpu_options.allow_growth = True
    elif isinstance(config, proto.ConfigProto):
        merged.CopyFrom(config)
    else:
        return config  # the session rejects it
    merged.graph_options.place_pruned_graph = True
    return merged
