"""Weight values and the session that stores them: the default session, or a per-thread one."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from tfmini._src.base import proto
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.default_stack import get_default_session
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.ops import ops
from tfmini._src.session.default_config import default_config
from tfmini._src.session.session import Session
from tfmini._src.variables.collections import is_variable_initialized, variables_initializer
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions, init_scope
from tfmini._src.variables.partitioned_variable import PartitionedVariable

_tracked: WeakKeyDictionary = WeakKeyDictionary()  # a graph's weights, in creation order
_initialized: WeakKeyDictionary = WeakKeyDictionary()  # initialized weights by graph
# Callbacks after the initialization of a graph's weights.
_initialization_followers: WeakKeyDictionary = WeakKeyDictionary()
_thread_state = threading.local()
_manual_initialization = [False]


def track(variable: Any) -> None:
    """Registers a weight, to be initialized when values are first read or written."""
    if executing_eagerly():
        return
    for part in variable if isinstance(variable, PartitionedVariable) else [variable]:
        graph = getattr(part, "graph", None) or get_default_graph()
        _tracked.setdefault(graph, []).append(weakref.ref(part))


def get_session(op_input_list: Sequence[Any] = ()) -> Any:
    """Returns the default session, or else this thread's session of the default graph; initializes new weights.

    Args:
      op_input_list: tensors whose graph is used instead of the default graph.

    Raises:
      RuntimeError: inside a function graph without a default session.
    """
    session = get_default_session()
    if session is None:
        graph = get_default_graph()
        if graph.building_function:
            raise RuntimeError("Cannot get session inside Tensorflow graph function.")
        for item in op_input_list:
            graph = getattr(item, "graph", None) or graph
            break
        session = getattr(_thread_state, "session", None)
        if session is None or session.graph is not graph:
            session = _thread_state.session = Session(config=_config())
    if not _manual_initialization[0]:
        _initialize(session)
    return session


def set_session(session: Any) -> None:
    """Sets this thread's session."""
    _thread_state.session = session


def configure_session(configure: Callable[[Any], None]) -> None:
    """Creates or replaces this thread's session, using the settings from `configure` and preserving weight values."""
    config = _config()
    previous_session = getattr(_thread_state, "session", None)
    if previous_session is not None and previous_session._config is not None:
        config.MergeFrom(previous_session._config)
    configure(config)
    graph = get_default_graph()
    if previous_session is None or previous_session.graph is not graph:
        set_session(Session(config=config))
    elif previous_session._config != config:
        weights = [v for v in (row() for row in _initialized.get(graph, ())) if v is not None]
        values = previous_session.run(weights)
        set_session(Session(config=config))
        set_values(list(zip(weights, values)))


def _config() -> proto.ConfigProto:
    """Returns the options set through `tf.config`, with soft placement enabled."""
    config = proto.ConfigProto()
    config.MergeFrom(default_config() or config)
    config.allow_soft_placement = True
    return config


def forget_session() -> None:
    """Discards this thread's session and the default graph's weights; `get_session` then creates a new session."""
    _thread_state.session = None
    _tracked.pop(get_default_graph(), None)
    _initialized.pop(get_default_graph(), None)
    _initialization_followers.pop(get_default_graph(), None)


def manual_variable_initialization(value: bool) -> None:
    """Sets whether the program initializes the weights itself.

    Args:
      value: if True, `get_session` initializes no weights.
    """
    _manual_initialization[0] = value


def _initialize(session: Any) -> None:
    rows = _tracked.get(session.graph)
    if not rows:
        return
    with session.graph.as_default():
        new = [v for v in (row() for row in rows) if v is not None]
        rows.clear()
        new = [v for v in dict.fromkeys(new) if not getattr(v, "_keras_initialized", False)]
        if not new:
            return
        has_value = session.run([is_variable_initialized(v) for v in new])
        for variable in new:
            variable._keras_initialized = True
            _initialized.setdefault(session.graph, []).append(weakref.ref(variable))
        without = [v for v, has in zip(new, has_value) if not has]
        if without:
            session.run(variables_initializer(without))
            for follow in list(_initialization_followers.get(session.graph, {}).values()):
                follow(session, without)


def follow_initialization(owner: Any, function: Callable[[Any, list], None]) -> None:
    """Registers a callback for weight initialization in the default graph.

    Args:
      owner: an object that owns the callback; a new callback replaces its previous one and is dropped with the owner.
      function: called with the session and the variables just initialized; must not reference the owner.
    """
    rows = _initialization_followers.setdefault(get_default_graph(), WeakKeyDictionary())
    rows[owner] = function


def variable_values(variables: Any) -> list:
    """Returns the values of variables and tensors as a list of numpy arrays."""
    if executing_eagerly():
        return [v.numpy() for v in variables]
    return get_session(variables).run(variables) if variables else []


def set_values(pairs: list) -> None:
    """Assigns values, passed as pairs of a variable and an array-like."""
    if not pairs:
        return
    if executing_eagerly_outside_functions():
        with init_scope():
            for variable, value in pairs:
                value = np.asarray(value, dtype=variable.dtype.base_dtype.as_numpy_dtype)
                variable.assign(value)
        return
    assignments, feeds = [], {}
    with get_default_graph().as_default():
        for variable, value in pairs:
            value = np.asarray(value, dtype=variable.dtype.base_dtype.as_numpy_dtype)
            setter = getattr(variable, "_value_setter", None)
            if setter is None:
                holder = ops.placeholder(variable.dtype.base_dtype, shape=[None] * value.ndim)
                setter = variable._value_setter = holder, variable.assign(holder)
            feeds[setter[0]] = value
            assignments.append(setter[1])
        get_session().run(assignments, feed_dict=feeds)
