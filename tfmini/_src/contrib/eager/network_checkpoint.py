"""Checkpoints of `tf.contrib.eager.Network`, with existing or future variables named relative to the network."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.eager.network import Network
from tfmini._src.graph.default_stack import get_default_session
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.train.checkpoints.checkpoint_reader import load_checkpoint
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.global_step import get_global_step

_INSTRUCTIONS = "Please inherit from tf.keras.Model instead of tfe.Network, and use tf.keras.Model."


class _Names:
    """Checkpoint names of a network's variables; by default without the network's scope."""

    def __init__(
        self, network: Network, map_func: Callable[[str], str] | None, function: str
    ) -> None:
        self._name, self._scope = network.name, network.scope_name
        self._map_name = map_func
        self._function = function
        self._variables: dict[str, Any] = {}

    def checkpoint_name(self, full_name: str) -> str:
        if self._map_name is not None:
            return self._map_name(full_name)
        return full_name.removeprefix(f"{self._scope}/")

    def add(self, variable: Any) -> None:
        """Records a variable's name; raises ValueError if another variable has the same name."""
        name = self.checkpoint_name(variable._shared_name)
        other = self._variables.setdefault(name, variable)
        if other is not variable:
            raise ValueError(self._conflict(name, other._shared_name, variable._shared_name))

    def variables_by_name(self, variables: Iterable[Any]) -> dict[str, Any]:
        """Returns the variables by name; raises ValueError if two have the same name."""
        for variable in variables:
            self.add(variable)
        return self._variables

    def _conflict(self, name: str, first: str, second: str) -> str:
        if self._map_name is None:
            return (
                f"The default checkpoint variable name mapping strategy for Network '{self._name}' resulted in a "
                "naming conflict. We attempted to strip off the variable prefix for the Network "
                f"('{self._scope}'), but this resulted in two variables named '{name}' (originally '{first}' and "
                f"'{second}'). This should only happen when using variable sharing (i.e. the Network contains "
                "Networks or Layers which were first added to another Network, and therefore have that Network's "
                "variable prefix). One solution is to pass `map_func=lambda n: n` to save and restore to use fully "
                "qualified variable names in the checkpoint, although this will require that the variable prefix of "
                f"the Network being restored into is also '{self._scope}'. You may alternatively write an arbitrary "
                "mapping."
            )
        head = (
            f"The map_func passed to {self._function} for the Network '{self._name}' resulted in two variables named "
            f"'{name}' "
        )
        if self._function == "save_network_checkpoint":
            return (
                f"{head}('{first}' and '{second}'). Try stripping less from the variable names, or renaming parts of "
                "the Network. For reference, variables created by sub-Layers of this Network are prefixed with "
                f"'{self._scope}', but if they are re-used after being added to another Network, they will have that "
                "Network's full variable prefix instead."
            )
        return (
            f"{head}(originally '{first}' and '{second}'). Since this is also an error when saving, this Network was "
            "probably not saved with this map_func. Note that map_func always maps from full variable names to "
            "checkpoint names; there is no need to specify an inverse mapping.\n\nTry stripping less from the variable "
            "names, or renaming parts of the Network. For reference, variables created by sub-Layers of this Network "
            f"are prefixed with '{self._scope}', but if they are re-used after being added to another Network they "
            "will have that Network's full variable prefix instead."
        )


def _session() -> Any:
    return None if executing_eagerly() else get_default_session()


def _prefix(network: Network, save_path: str) -> str:
    """Returns the prefix of a checkpoint: `save_path`, or for a directory, the network's name in that directory."""
    if os.path.isdir(save_path):
        return os.path.join(save_path, network.name.replace("/", "_"))
    return save_path


@deprecated(None, f"{_INSTRUCTIONS}save_weights.")
def save_network_checkpoint(
    network: Network,
    save_path: str,
    global_step: TensorLike | None = None,
    map_func: Callable[[str], str] | None = None,
) -> str:
    """Writes the variables of a network to a checkpoint.

    Args:
      network: a `Network` that has been called.
      save_path: the checkpoint prefix, or a directory for a checkpoint named after the network.
      global_step: suffix of the path, a number or variable; by default the global step, if any.
      map_func: function from a variable's full name ("net/dense/kernel") to its checkpoint name; by default removes the
        network's prefix.

    Returns:
      The checkpoint prefix.

    Raises:
      ValueError: if the network has not been called, or two variables map to the same name.
    """
    if not network.built:
        raise ValueError(
            "Attempt to save the Network before it was first called. This means variables have not yet been created, "
            "so there is nothing to save."
        )
    network._set_scope()
    if global_step is None:
        global_step = get_global_step()
    names = _Names(network, map_func, "save_network_checkpoint")
    saved: str = Saver(names.variables_by_name(network.variables)).save(
        _session(),
        _prefix(network, save_path),
        write_meta_graph=False,
        global_step=global_step,
    )
    return saved


class _DeferredValues:
    """Checkpoint values for future variables; each is returned only once."""

    def __init__(self, names: _Names, values: dict[str, Any]) -> None:
        self.names = names
        self.values = values
        self._waiting = set(values)
        self._session = _session()

    def has_value(self, full_name: str) -> bool:
        """Whether the checkpoint contains a value for a variable."""
        return self.names.checkpoint_name(full_name) in self.values

    def value(self, full_name: str) -> Any:
        """Returns the checkpoint value on the first call for a variable name; None later or without a value."""
        name = self.names.checkpoint_name(full_name)
        if name not in self._waiting:
            return None
        self._waiting.remove(name)
        return self.values[name]

    def record_new(self, variable: Any, is_restored: bool) -> None:
        """Records a new variable, whose value is assigned by a session in graph mode."""
        if is_restored and self._session is not None:
            self._session.run(variable.initializer)
        self.names.add(variable)


class _RestoringGetter:
    """Custom getter that initializes variables from the last checkpoint that contains them."""

    def __init__(self) -> None:
        self.deferred: list[_DeferredValues] = []

    def __call__(
        self,
        getter: Callable[..., Any],
        name: str,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        deferred = next((d for d in reversed(self.deferred) if d.has_value(name)), None)
        value = None if deferred is None else deferred.value(name)
        if value is not None:
            initializer, shape = value, None
        variable = getter(name, shape, dtype, initializer, *args, **kwargs)
        if deferred is not None:
            deferred.record_new(variable, value is not None)
        return variable


def _defer(layer: Any, deferred: _DeferredValues) -> None:
    """Initializes the future variables of a layer and its sublayers from a checkpoint."""
    if isinstance(layer, Network):
        layer._set_scope()
    if not isinstance(layer._scope.custom_getter, _RestoringGetter):
        layer._scope.set_custom_getter(_RestoringGetter())
    layer._scope.custom_getter.deferred.append(deferred)
    if isinstance(layer, Network):
        for inner in layer.layers:
            _defer(inner, deferred)


@deprecated(None, f"{_INSTRUCTIONS}load_weights.")
def restore_network_checkpoint(
    network: Network, save_path: str, map_func: Callable[[str], str] | None = None
) -> None:
    """Restores the variables of a network from a checkpoint; future ones are restored on creation.

    Args:
      network: a `Network`.
      save_path: the result of `save_network_checkpoint`, or its directory.
      map_func: as in `save_network_checkpoint`.

    Raises:
      ValueError: if two variables map to the same checkpoint name, now or when variables are created.
      NotFoundError: if the checkpoint lacks an existing variable.
    """
    network._finalize_name(None)
    network._set_scope()
    prefix = _prefix(network, save_path)
    variables_by_name = _Names(network, map_func, "restore_network_checkpoint").variables_by_name(
        network.variables
    )
    if variables_by_name:
        Saver(variables_by_name).restore(_session(), prefix)
    reader = load_checkpoint(prefix)
    values = {
        name: reader.get_tensor(name)
        for name in reader.get_variable_to_shape_map()
        if name not in variables_by_name
    }
    if values:
        _defer(
            network,
            _DeferredValues(_Names(network, map_func, "restore_network_checkpoint"), values),
        )
