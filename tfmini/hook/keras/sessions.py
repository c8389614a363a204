"""What Keras keeps for each graph: counters of names, the learning phase, the session."""

from __future__ import annotations

import threading
import weakref
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import tfmini as tf
from tfmini.graph.default import get_default_session
from tfmini.graph.default_graph import get_default_graph, reset_default_graph
from tfmini.graph.graph import Graph
from tfmini.graph.scopes import name_scope
from tfmini.session.session import Session
from tfmini.variables.collected import (
    global_variables,
    is_variable_initialized,
    variables_initializer,
)
from tfmini.variables.init_scope import init_scope

_uids: Any = weakref.WeakKeyDictionary()
_phases: Any = weakref.WeakKeyDictionary()
_own = threading.local()
_manual = [False]


def get_graph() -> Graph:
    """The default graph."""
    return get_default_graph()


def get_uid(prefix: str = "") -> int:
    """1, 2, 3 ... for each prefix, in each graph."""
    counts = _uids.setdefault(get_graph(), defaultdict(int))
    counts[prefix] += 1
    return counts[prefix]


def reset_uids() -> None:
    """Counts from 1 again, in all graphs."""
    _uids.clear()


def manual_variable_initialization(value: bool) -> None:
    """Whether variables are left to the program to initialize."""
    _manual[0] = value


def learning_phase() -> Any:
    """The placeholder, false unless it is fed, which tells training from use; or the number that was set."""
    with init_scope():
        graph = get_graph()
        if graph not in _phases:
            with name_scope(""):
                phase = tf.placeholder_with_default(False, (), name="keras_learning_phase")
            _phases[graph] = phase
        return _phases[graph]


def set_learning_phase(value: int) -> None:
    """Sets the learning phase of the default graph: 1 to train, 0 to use.

    Raises:
      ValueError: for anything else.
    """
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    with init_scope():
        _phases[get_graph()] = value


@contextmanager
def learning_phase_scope(value: int) -> Iterator[None]:
    """A block whose learning phase is `value`, 0 or 1.

    Raises:
      ValueError: for anything else.
    """
    if value not in (0, 1):
        raise ValueError("Expected learning phase to be 0 or 1.")
    graph = get_graph()
    before = _phases.get(graph)
    set_learning_phase(value)
    try:
        yield
    finally:
        if before is None:
            _phases.pop(graph, None)
        else:
            _phases[graph] = before


def get_session(op_input_list: Any = ()) -> Session:
    """The default session, or the one kept for the default graph; variables that have no value get their first."""
    session = get_default_session()
    if session is None:
        session = getattr(_own, "session", None)
        if session is None or session.graph is not get_graph():
            session = _own.session = Session()
    if not _manual[0]:
        with session.graph.as_default():
            _initialize(session)
    return session


def set_session(session: Session) -> None:
    """Takes a session for that of its graph."""
    _own.session = session


def clear_session() -> None:
    """Forgets the default graph, its session and its counters; a new one takes its place."""
    reset_default_graph()
    reset_uids()
    _own.session = None
    graph = get_graph()
    with name_scope(""):
        phase = tf.placeholder_with_default(False, (), name="keras_learning_phase")
    _phases.clear()
    _phases[graph] = phase


def _initialize(session: Session) -> None:
    """Gives those variables a value which were not seen here before and have none."""
    new = [v for v in global_variables() if not getattr(v, "_keras_initialized", False)]
    if not new:
        return
    has_value = session.run([is_variable_initialized(v) for v in new])
    for variable in new:
        variable._keras_initialized = True
    without = [v for v, has in zip(new, has_value) if not has]
    if without:
        session.run(variables_initializer(without))
