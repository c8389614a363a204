"""`InteractiveSession`: a session that is the default from its creation on."""

from __future__ import annotations

import warnings

from tfmini._src.base import proto
from tfmini._src.base.locks import make_lock
from tfmini._src.base.names.user_line import users_level
from tfmini._src.graph import default_stack
from tfmini._src.graph.graph import Graph
from tfmini._src.session.base_session import BaseSession


class InteractiveSession(BaseSession):
    """A session that is the default one from its creation until `close()`, for shells and notebooks.

    It gives devices only to what each step needs, and without a `config` takes a device's memory as it is needed.

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
        super().__init__(target, graph, _interactive(config))
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
        """Ends the session; the one before is the default again."""
        super().close()
        if self not in default_stack.sessions.items:
            return
        with InteractiveSession._count_lock:
            InteractiveSession._active -= 1
        default_stack.sessions.remove(self)
        if self._explicit_graph is not None:
            default_stack.graphs.remove(self._explicit_graph)


def _interactive(config: proto.ConfigProto | None) -> proto.ConfigProto:
    """The options of an interactive session."""
    made = proto.ConfigProto()
    if config is None:
        made.gpu_options.allow_growth = True
    elif isinstance(config, proto.ConfigProto):
        made.CopyFrom(config)
    else:
        return config  # which the session refuses
    made.graph_options.place_pruned_graph = True
    return made
