"""`Session`: runs what fetches need of a graph."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from tfmini import proto
from tfmini.graph import default
from tfmini.graph.default_graph import get_default_graph
from tfmini.graph.graph import Graph
from tfmini.graph.operation import Operation
from tfmini.graph.tensor import Tensor
from tfmini.runtime.place import Device, Placement, local_devices
from tfmini.runtime.plan import Plan, compile_plan
from tfmini.runtime.resources import Resources
from tfmini.session.feeds import feed_pairs
from tfmini.session.fetches import Fetches


class BaseSession:
    """What `Session` and `InteractiveSession` share.

    Args:
      target: "" runs in this process.
      graph: the graph to run; by default the default graph.
      config: a `ConfigProto`.

    Raises:
      TypeError: if an argument is of a wrong type.
    """

    def __init__(self, target: str | bytes | None = "", graph: Graph | None = None, config: Any = None):
        if graph is None:
            graph = get_default_graph()
        elif not isinstance(graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        if target is not None and not isinstance(target, str | bytes):
            hint = ""
            if isinstance(target, proto.ConfigProto):
                hint = '. Did you do "Session(config)" instead of "Session(config=config)"?'
            raise TypeError(f"target must be a string, but got {type(target)}{hint}")
        if config is not None and not isinstance(config, proto.ConfigProto):
            raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
        self._graph = graph
        self._target = target
        self._config = config
        self._closed = False
        self._lock = threading.Lock()
        self._resources = Resources()
        self._steps: dict[Any, tuple[Plan, Fetches]] = {}
        soft = config is not None and config.allow_soft_placement
        log = config is not None and config.log_device_placement
        self._placement = Placement(local_devices(config), soft, log)

    @property
    def graph(self) -> Graph:
        """The graph that this session runs."""
        return self._graph

    @property
    def graph_def(self) -> Any:
        """The graph as a GraphDef proto."""
        return self._graph.as_graph_def()

    def list_devices(self) -> list[Device]:
        """The devices of this session, each with name, device_type, memory_limit_bytes and incarnation."""
        return list(self._placement.devices)

    @property
    def sess_str(self) -> Any:
        """The target."""
        return self._target

    def close(self) -> None:
        """Ends the session and forgets its variables."""
        self._closed = True
        self._steps.clear()
        self._resources.reset()

    def as_default(self) -> Any:
        """A context manager that makes this the session of `Tensor.eval()` and `Operation.run()`."""
        return default.sessions.pushed(self)

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Runs one step: the operations that `fetches` need.

        Args:
          fetches: a tensor, operation, variable, name, or nested list, tuple, dict of these.
          feed_dict: values to use in place of tensors, by tensor or name.
          options: a RunOptions proto.
          run_metadata: a RunMetadata proto to fill.

        Returns:
          The values, in the structure of `fetches`: numpy arrays, numpy scalars for scalars, None for operations.

        Raises:
          RuntimeError: if the session is closed or the graph empty.
          TypeError, ValueError: for a bad fetch or feed.
          tf.errors.OpError: what an operation raises, with its node.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        graph = self._graph
        if not graph._ops:
            raise RuntimeError(
                "The Session graph is empty.  Add operations to the graph before calling run()."
            )
        pairs = feed_pairs(graph, feed_dict) if feed_dict else ()
        key = _key(fetches), tuple([tensor for tensor, _ in pairs])
        try:
            step = self._steps.get(key)
        except TypeError:  # an unhashable fetch
            step, key = None, None
        if step is None:
            step = self._compile(fetches, [tensor for tensor, _ in pairs])
            if key is not None:
                self._steps[key] = step
        plan, resolved = step
        values = plan.run([value for _, value in pairs])
        return resolved.build(
            [v[()] if v.__class__ is np.ndarray and not v.ndim else v for v in values]
        )

    def _compile(self, fetches: Any, feeds: list[Tensor]) -> tuple[Plan, Fetches]:
        resolved = Fetches(self._graph, fetches)
        with self._lock:
            self._placement.update(self._graph)
            plan = compile_plan(
                resolved.tensors, feeds, resolved.targets, self._resources, self._placement
            )
        return plan, resolved


def _key(fetches: Any) -> Any:
    """A dictionary key for a fetch structure."""
    if fetches.__class__ is Tensor or fetches.__class__ is Operation:
        return fetches
    if isinstance(fetches, list | tuple):
        return (fetches.__class__, *[_key(item) for item in fetches])
    if isinstance(fetches, dict):
        return (fetches.__class__, *[(k, _key(v)) for k, v in fetches.items()])
    return fetches


class Session(BaseSession):
    """Runs operations of a graph and keeps the values of its variables.

    Example:
      with tf.Session() as sess:
          print(sess.run(tf.constant(3.0) * 2.0))
    """

    def __enter__(self) -> Session:
        self._graph_context = self._graph.as_default()
        self._session_context = self.as_default()
        self._graph_context.__enter__()
        self._session_context.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._session_context.__exit__(*error)
        self._graph_context.__exit__(*error)
        self.close()
