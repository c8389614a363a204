"""`tf.train.basic_train_loop`, a training loop under a Supervisor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.base.errors import AbortedError
from tfmini._src.train.monitored.supervisor import Supervisor


def basic_train_loop(
    supervisor: Supervisor,
    train_step_fn: Callable[..., Any],
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    master: str = "",
) -> None:
    """Calls a function with a session until the Supervisor stops; after an AbortedError, creates a new session.

    Args:
      supervisor: a Supervisor.
      train_step_fn: a function of the session, `args` and `kwargs`.
      args: a list of arguments.
      kwargs: a dict of keyword arguments.
      master: the session target.
    """
    while True:
        try:
            with supervisor.managed_session(master) as session:
                while not supervisor.should_stop():
                    train_step_fn(session, *(args or ()), **(kwargs or {}))
        except AbortedError:
            continue
        return
