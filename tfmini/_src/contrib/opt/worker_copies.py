"""Variable copies for workers that train locally: the getter that creates and the hook that assigns them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import device
from tfmini._src.train.monitored.session_run_hook import SessionRunHook
from tfmini._src.variables.collections import (
    global_variables_initializer,
    local_variables_initializer,
)
from tfmini._src.variables.get_variable import get_variable

GLOBAL_NAME = "global_center_variable"


def create_local_step() -> Any:
    """Returns a worker's local variable that counts its steps."""
    return get_variable(
        initializer=0,
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES],
        name="local_step",
    )


class PairGetter:
    """Custom getter that adds a global and a second local copy to each trainable variable.

    Args:
      worker_device: the device of the worker.
      second_name: name prefix of the second local copies.
    """

    def __init__(self, worker_device: str, second_name: str):
        self._worker_device = worker_device
        self._second_name = second_name
        self._global_map: dict[Any, Any] = {}
        self._second_map: dict[Any, Any] = {}

    def _local_copy(
        self, getter: Callable, name: str, trainable: bool, *args: Any, **kwargs: Any
    ) -> Any:
        with device(self._worker_device):
            return getter(
                *(name, *args),
                trainable=trainable,
                collections=[GraphKeys.LOCAL_VARIABLES],
                **kwargs,
            )

    def _get_other(self, getter: Callable, name: str, args: tuple, kwargs: dict) -> Any:
        return getter(name, *args, **kwargs)

    def __call__(
        self,
        getter: Callable[..., Any],
        name: str,
        trainable: bool,
        collections: Sequence[str],
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Returns the variable that a worker trains; untrainable variables are returned unchanged."""
        if not trainable:
            kwargs.update(trainable=trainable, collections=collections)
            return self._get_other(getter, name, args, kwargs)
        local = self._local_copy(getter, name, True, *args, **kwargs)
        if kwargs["reuse"] is True:
            return local
        center = getter(
            *args,
            name=f"{GLOBAL_NAME}/{name}",
            trainable=False,
            collections=[GraphKeys.GLOBAL_VARIABLES],
            **kwargs,
        )
        second = self._local_copy(getter, f"{self._second_name}/{name}", False, *args, **kwargs)
        is_unpartitioned = kwargs["partitioner"] is None
        parts = [[v] if is_unpartitioned else list(v) for v in (local, center, second)]
        for local_part, replica_values, other_parts in zip(*parts):
            self._second_map[local_part] = other_parts
            self._global_map[local_part] = replica_values
        return local


class CopiesHook(SessionRunHook):
    """Hook that copies the global variables to a worker's variables in each new session."""

    def __init__(self, is_chief: bool, init_op: Callable[[], Any]):
        self._is_chief = is_chief
        self._make_init_op = init_op

    def begin(self) -> None:
        """Creates the initializers and the assignments."""
        self._local_init_op = local_variables_initializer()
        self._global_init_op = global_variables_initializer() if self._is_chief else None
        self._variable_init_op = self._make_init_op()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Runs the assignments."""
        session.run(self._variable_init_op)
