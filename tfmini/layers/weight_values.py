"""The values of a layer's weights, read and written in the default session, or in one of its own."""

from __future__ import annotations

import threading
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import numpy as np

from tfmini.graph.default import get_default_session
from tfmini.graph.default_graph import get_default_graph
from tfmini.graph.opdef import ops
from tfmini.session.session import Session
from tfmini.variables.collected import is_variable_initialized, variables_initializer
from tfmini.variables.partitioned import PartitionedVariable

_tracked: WeakKeyDictionary = WeakKeyDictionary()  # a graph's weights, in the order they were made
_seen: WeakSet = WeakSet()  # weights that have been initialised here, or found to be
_own = threading.local()


def track(variable: Any) -> None:
    """Notes a weight: it is initialised when values are first read or written."""
    for part in variable if isinstance(variable, PartitionedVariable) else [variable]:
        _tracked.setdefault(part.graph, WeakSet()).add(part)


def values_of(variables: list) -> list:
    """The values of variables, as numpy arrays."""
    return _session().run(variables) if variables else []


def set_values(pairs: list) -> None:
    """Assigns values: pairs of a variable and an array."""
    assignments, feeds = [], {}
    with get_default_graph().as_default():
        for variable, value in pairs:
            value = np.asarray(value, dtype=variable.dtype.base_dtype.as_numpy_dtype)
            kept = getattr(variable, "_value_setter", None)
            if kept is None:
                holder = ops.placeholder(variable.dtype.base_dtype, shape=[None] * value.ndim)
                kept = variable._value_setter = holder, variable.assign(holder)
            feeds[kept[0]] = value
            assignments.append(kept[1])
    _session().run(assignments, feed_dict=feeds)


def _session() -> Any:
    """The default session, else this thread's own for the default graph; weights are initialised."""
    graph = get_default_graph()
    session = get_default_session()
    if session is None:
        session = getattr(_own, "session", None)
        if session is None or session.graph is not graph:
            session = _own.session = Session()
    with session.graph.as_default():
        new = [v for v in _tracked.get(graph, ()) if v not in _seen]
        if new:
            there = session.run([is_variable_initialized(v) for v in new])
            _seen.update(new)
            missing = [v for v, is_there in zip(new, there) if not is_there]
            if missing:
                session.run(variables_initializer(missing))
    return session
