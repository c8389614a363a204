"""SingleCellRNN: base class of recurrent layers with the same arguments as their cell."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.deserialize import to_config
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.keras.recurrent.rnn import RNN
from tfmini._src.nn.layers.layer_arguments import description
from tfmini._src.nn.layers.regularizers import find_regularizer

_LAYER_ARGUMENTS = ("return_sequences", "return_state", "go_backwards", "stateful", "unroll")


def cell_property(name: str, document: str) -> Any:
    """Returns a property that forwards to the layer's cell."""
    return property(lambda self: getattr(self.cell, name), doc=document)


def _argument_names(cell_class: type) -> set[str]:
    """Returns the argument names of a cell, including arguments forwarded to its base class."""
    makers = [vars(base)["__init__"] for base in cell_class.__mro__ if "__init__" in vars(base)]
    names = {name for maker in makers[:-1] for name in inspect.signature(maker).parameters}
    return names - {"self", "kwargs"}


class SingleCellRNN(RNN):
    """Base class of SimpleRNN, LSTM and GRU."""

    _cell_class: Any

    def __init__(self, arguments: dict[str, Any]):
        """Creates the layer and its cell from `locals()` of a subclass's `__init__`, its arguments."""
        kwargs = arguments["kwargs"]
        cell_arguments = {
            name: arguments[name] for name in _argument_names(self._cell_class) if name in arguments
        }
        cell = self._cell_class(**cell_arguments, dtype=kwargs.get("dtype"))
        layer_arguments = {name: arguments[name] for name in _LAYER_ARGUMENTS if name in arguments}
        super().__init__(cell, **layer_arguments, **kwargs)
        self.activity_regularizer = find_regularizer(arguments["activity_regularizer"])
        self.input_spec = [InputSpec(ndim=3)]

    def call(  # type: ignore[override]  # takes no constants
        self,
        inputs: Tensor,
        mask: Tensor | None = None,
        training: TensorLike | None = None,
        initial_state: Tensor | Sequence[Tensor] | None = None,
    ) -> Any:
        """Applies the cell; the arguments are as in a call of the layer."""
        self.cell.reset_dropout_mask()
        self.cell.reset_recurrent_dropout_mask()
        return super().call(inputs, mask=mask, training=training, initial_state=initial_state)

    activation = cell_property("activation", "The output activation.")
    use_bias = cell_property("use_bias", "Whether the cell adds a bias.")
    kernel_initializer = cell_property("kernel_initializer", "The initializer of `kernel`.")
    recurrent_initializer = cell_property("recurrent_initializer", "That of `recurrent_kernel`.")
    bias_initializer = cell_property("bias_initializer", "The initializer of `bias`.")
    kernel_regularizer = cell_property("kernel_regularizer", "The regularizer of `kernel`.")
    recurrent_regularizer = cell_property("recurrent_regularizer", "That of `recurrent_kernel`.")
    bias_regularizer = cell_property("bias_regularizer", "The regularizer of `bias`.")
    kernel_constraint = cell_property("kernel_constraint", "The constraint of `kernel`.")
    recurrent_constraint = cell_property("recurrent_constraint", "That of `recurrent_kernel`.")
    bias_constraint = cell_property("bias_constraint", "The constraint of `bias`.")
    dropout = cell_property("dropout", "Fraction of inputs dropped in training.")
    recurrent_dropout = cell_property(
        "recurrent_dropout", "Fraction of states dropped in training."
    )

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        config = super().get_config()
        del config["cell"]
        cell_config: dict[str, Any] = {}
        for name, value in description(self.cell, self._cell_class._in_config).items():
            cell_config[name] = value
            if name == "bias_regularizer":
                cell_config["activity_regularizer"] = to_config(self.activity_regularizer)
        return {**config, **cell_config}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:  # type: ignore[override]
        """Rebuilds a layer from `get_config` output."""
        config = dict(config)
        if config.get("implementation") == 0:
            config["implementation"] = 1
        return cls(**config)
