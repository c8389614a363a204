"""Cell wrappers: their base class, `ResidualWrapper` and `DeviceWrapper`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.nest.structure import assert_same_structure, map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.scopes import device as placed_on, name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.checks import check_cell
from tfmini._src.nn.rnn.rnn_cell import RNNCell
from tfmini._src.variables.trackable import Trackable

if TYPE_CHECKING:
    from tfmini._src.variables.get_variable import VariableScope


class CellWrapper(RNNCell):
    """Base class of wrappers, which delegate to another cell, `cell`, and share its sizes.

    A wrapper opens no variable scope, so variables are named as in the unwrapped cell. The weights belong to the cell,
    not to the wrapper.
    """

    def _wrap(self, cell: Any, **kwargs: Any) -> None:
        """Initializes the layer and sets the wrapped cell."""
        super().__init__(**kwargs)
        check_cell("cell", cell)
        self.cell = cell
        if isinstance(cell, Trackable):
            self._track_trackable(cell, "cell")

    def __call__(self, inputs: Any, state: Any, scope: str | VariableScope | None = None) -> Any:
        """Computes a step in the cell's `scope`; returns (output, next state)."""
        return self._call_wrapped_cell(inputs, state, self.cell.__call__, scope=scope)

    def _call_wrapped_cell(self, inputs: Any, state: Any, step: Callable, **kwargs: Any) -> Any:
        """Computes a step, using `step(inputs, state)` to call the wrapped cell."""
        raise NotImplementedError

    state_size: Any = read_only("State size of the wrapped cell.", "cell.state_size")
    output_size: Any = read_only("Output size of the wrapped cell.", "cell.output_size")

    def zero_state(self, batch_size: TensorLike, dtype: DTypeLike) -> Any:
        """Returns the wrapped cell's zero state."""
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            return self.cell.zero_state(batch_size, dtype)

    def get_config(self) -> dict[str, Any]:
        """Returns constructor arguments to recreate the wrapper; the cell is represented by its class and arguments."""
        config = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return {**super().get_config(), "cell": config}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Recreates the wrapper from the result of `get_config`, with "cell" replaced by a cell.

        Raises:
          ValueError: if "cell" was not replaced.
        """
        arguments = {name: value for name, value in config.items() if name != "cell"}
        try:
            return cls(config["cell"], **arguments)
        except TypeError as error:
            raise ValueError(
                "RNNCellWrapper cannot reconstruct the wrapped cell. Please overwrite the cell in the "
                "config with a RNNCell instance."
            ) from error


class ResidualWrapper(CellWrapper):
    """Adds the input of a cell to its output (a residual connection).

    Args:
      cell: the cell.
      residual_fn: a function of (inputs, outputs) that returns the outputs; by default their sum, which requires equal
        structures and shapes.
      **kwargs: layer arguments.

    Raises:
      TypeError: if `cell` is not a cell.
      ValueError: when called, if input and output differ in structure or shape.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        self._set(*args, **kwargs)

    def _set(self, cell: Any, residual_fn: Callable | None = None, **kwargs: Any) -> None:
        self._wrap(cell, **kwargs)
        self._residual_fn = residual_fn

    def _call_wrapped_cell(self, inputs: Any, state: Any, step: Callable, **kwargs: Any) -> Any:
        outputs, state = step(inputs, state, **kwargs)
        return (self._residual_fn or _sum)(inputs, outputs), state

    def get_config(self) -> dict[str, Any]:
        """Returns constructor arguments to recreate the wrapper; functions are included unchanged."""
        function = {} if self._residual_fn is None else {"residual_fn": self._residual_fn}
        return {**super().get_config(), **function}


def _sum(inputs: Any, outputs: Any) -> Any:
    assert_same_structure(inputs, outputs)
    map_structure(lambda x, y: x.shape.assert_is_compatible_with(y.shape), inputs, outputs)
    return map_structure(lambda x, y: x + y, inputs, outputs)


class DeviceWrapper(CellWrapper):
    """Places a cell's ops on a device.

    Args:
      cell: the cell.
      device: a device string or function, as for `tf.device`.
      **kwargs: layer arguments.

    Raises:
      TypeError: if `cell` is not a cell.
    """

    _kept = ("device",)

    def __init__(self, *args: Any, **kwargs: Any):
        self._set(*args, **kwargs)

    def _set(self, cell: Any, device: Any, **kwargs: Any) -> None:
        self._wrap(cell, **kwargs)
        self._device = device

    def zero_state(self, batch_size: TensorLike, dtype: DTypeLike) -> Any:
        """Returns the cell's zero state, placed on the device."""
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            with placed_on(self._device):
                return self.cell.zero_state(batch_size, dtype)

    def _call_wrapped_cell(self, inputs: Any, state: Any, step: Callable, **kwargs: Any) -> Any:
        with placed_on(self._device):
            return step(inputs, state, **kwargs)
