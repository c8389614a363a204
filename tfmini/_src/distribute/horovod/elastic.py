"""Elastic training: ranks may leave and join while a function trains; `hvd.elastic`.

    @hvd.elastic.run
    def train(state):
        while state.batch < 1000:
            session.run(step)
            state.batch += 1
            if state.batch % 10 == 0:
                state.commit()

    train(hvd.elastic.TensorFlowState(session=session, batch=0))

When a rank is lost, the others return to the last commit and start a round without it. When ranks join, all start a
round at the next commit, with the state of rank 0, an existing rank.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.distribute.horovod import basics
from tfmini._src.distribute.horovod.elastic_rounds import has_changed
from tfmini._src.distribute.horovod.failures import HorovodInternalError, HostsUpdatedInterrupt
from tfmini._src.distribute.horovod.objects import broadcast_object
from tfmini._src.graph.default_stack import get_default_session
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.variables.collections import global_variables

__all__ = [
    "HorovodInternalError",
    "HostsUpdatedInterrupt",
    "ObjectState",
    "State",
    "TensorFlowKerasState",
    "TensorFlowState",
    "run",
]


_SUBCLASS_ADVICE = "hvd.elastic.State has no {0}(): derive a class that does, or use ObjectState or TensorFlowState"


class State:
    """State shared by ranks, with rollback; subclasses define its storage."""

    def __init__(self) -> None:
        self._reset_callbacks: list[Callable[[], Any]] = []

    def register_reset_callbacks(self, callbacks: Iterable[Callable[[], Any]]) -> None:
        """Adds callbacks without arguments, called after each change of ranks."""
        self._reset_callbacks.extend(callbacks)

    def on_reset(self) -> None:
        """Called after each change of ranks, before `sync`."""
        self.reset()
        for callback in self._reset_callbacks:
            callback()

    def commit(self) -> None:
        """Saves the state for rollback, and checks for rank changes.

        Raises:
          HostsUpdatedInterrupt: if ranks are about to change.
        """
        self.save()
        self.check_host_updates()

    def check_host_updates(self) -> None:
        """Checks for rank changes, without saving; every rank must call it.

        Raises:
          HostsUpdatedInterrupt: if ranks are about to change.
        """
        own_change = has_changed() if basics.rank() == 0 else None
        if broadcast_object(own_change, 0, name="elastic changes"):
            raise HostsUpdatedInterrupt

    def save(self) -> None:
        """Saves the state in memory."""
        raise NotImplementedError(_SUBCLASS_ADVICE.format("save"))

    def restore(self) -> None:
        """Restores the last saved state."""
        raise NotImplementedError(_SUBCLASS_ADVICE.format("restore"))

    def sync(self) -> None:
        """Broadcasts rank 0's state to all ranks."""
        raise NotImplementedError(_SUBCLASS_ADVICE.format("sync"))

    def reset(self) -> None:
        """Called after each change of ranks, before the callbacks."""


class ObjectState(State):
    """Picklable Python objects, as attributes.

    Args:
      bcast_object, get_rank: ignored; Horovod requires them.
      kwargs: names and initial values.

    Example: `hvd.elastic.ObjectState(batch=0, epoch=0)`.
    """

    def __init__(self, bcast_object: Any = None, get_rank: Any = None, **kwargs: Any):
        super().__init__()
        self._saved = kwargs
        self.__dict__.update(copy.deepcopy(kwargs))

    def save(self) -> None:
        self._saved = {name: copy.deepcopy(getattr(self, name)) for name in self._saved}

    def restore(self) -> None:
        self.__dict__.update(copy.deepcopy(self._saved))

    def sync(self) -> None:
        current = {name: getattr(self, name) for name in self._saved}
        self._saved = broadcast_object(current, 0, name="elastic state")
        self.restore()


class TensorFlowState(ObjectState):
    """Variables, and Python objects as attributes.

    Args:
      variables: by default all global variables of the graph at construction.
      session: the session with their initialized values; by default the default session.
      kwargs: names and initial values of the objects.
    """

    def __init__(self, variables: Sequence[Any] | None = None, session: Any = None, **kwargs: Any):
        self.variables = list(global_variables() if variables is None else variables)
        self.session = session
        super().__init__(**kwargs)
        self._values = self._current()

    def _in_session(self) -> Any:
        session = self.session or get_default_session()
        if session is None:
            raise ValueError(
                "A TensorFlowState requires a session: pass one or enter a default session"
            )
        return session

    def _current(self) -> list[Any]:
        if executing_eagerly():
            return [variable.numpy() for variable in self.variables]
        return self._in_session().run(self.variables)

    def save(self) -> None:
        self._values = self._current()
        super().save()

    def restore(self) -> None:
        if executing_eagerly():
            for variable, value in zip(self.variables, self._values):
                variable.assign(value)
        else:
            assign_ops = [variable.initializer for variable in self.variables]
            feeds = {assign.inputs[1]: value for assign, value in zip(assign_ops, self._values)}
            self._in_session().run(assign_ops, feeds)
        super().restore()

    def sync(self) -> None:
        self._values = broadcast_object(self._current(), 0, name="elastic variables")
        super().sync()


class TensorFlowKerasState(ObjectState):
    """A Keras model with its optimizer, and Python objects as attributes.

    Args:
      model: a compiled model.
      optimizer: by default the model's.
      backend: unused.
      kwargs: names and initial values of the objects.
    """

    def __init__(self, model: Any, optimizer: Any = None, backend: Any = None, **kwargs: Any):
        self.model = model
        self.optimizer = model.optimizer if optimizer is None else optimizer
        super().__init__(**kwargs)
        self._values = self._current()

    def _current(self) -> tuple[list[Any], list[Any]]:
        return self.model.get_weights(), self.optimizer.get_weights()

    def save(self) -> None:
        self._values = self._current()
        super().save()

    def restore(self) -> None:
        weights, slots = self._values
        self.model.set_weights(weights)
        if len(slots) == len(self.optimizer.weights):
            self.optimizer.set_weights(slots)
        super().restore()

    def sync(self) -> None:
        self._values = broadcast_object(self._current(), 0, name="elastic weights")
        super().sync()


def run(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a training function, which is called again after each change of ranks.

    Its first argument is a `State`, which is broadcast before each call; its counters record where to resume.

    Example: see this module's docstring.
    """

    @functools.wraps(func)
    def wrapper(state: State, *args: Any, **kwargs: Any) -> Any:
        skip_sync = False
        while True:
            try:
                if not skip_sync:
                    state.sync()
                return func(state, *args, **kwargs)
            except HorovodInternalError as error:
                logs.warning("Restoring the last commit: %s", error.message)
                _reconnect()
                state.restore()
                skip_sync = False
            except HostsUpdatedInterrupt as update:
                _reconnect()
                skip_sync = update.skip_sync
            state.on_reset()

    return wrapper


def _reconnect() -> None:
    basics.shutdown()
    basics.init()
