"""Layers that a functional model creates implicitly, for operations and for added losses and metrics."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.nest.structure import flatten
from tfmini._src.functions.tf_function import Function
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.operation_history import layer_of_operation
from tfmini._src.ops import ops

_PREFIX = "tf_op_layer_"


class TensorFlowOpLayer(Layer):
    """Layer that applies one graph operation; each call adds a copy of the node.

    Args:
      node_def: a NodeDef, as bytes or as a dict in its JSON form.
      constants: a dict from input indices to values; other inputs come from the call.
      trainable, dtype: as for all layers.
    """

    def __init__(
        self,
        node_def: Any,
        name: str,
        constants: dict | None = None,
        trainable: bool = True,
        dtype: Any = None,
    ):
        super().__init__(name=_PREFIX + name, trainable=trainable, dtype=dtype, autocast=False)
        if isinstance(node_def, dict):
            self.node_def = proto.fill_from_json(node_def, proto.NodeDef())
        else:
            data = node_def if isinstance(node_def, bytes) else node_def.encode()
            self.node_def = proto.NodeDef.FromString(data)
        self.constants = {int(n): value for n, value in (constants or {}).items()}
        self.built = True
        self._function = Function(self._add_node, lifts=False, autograph=False)

    def call(self, inputs: Any) -> Any:
        """Returns the operation's outputs: a tensor, or a list of them."""
        return self._function(inputs) if executing_eagerly() else self._add_node(inputs)

    def _add_node(self, inputs: Any) -> Any:
        tensors = flatten(inputs)
        graph: Any = get_default_graph()
        if not graph.building_function:
            graph = tensors[0].graph
        name = graph.unique_name(self.node_def.name)
        with graph.as_default():
            for index, value in self.constants.items():
                tensors.insert(index, ops.constant(value, name=self.node_def.input[index]))
            op = graph.create_op(
                self.node_def.op, tensors, name=name + "/", attrs=dict(self.node_def.attr)
            )
        return op.outputs[0] if len(op.outputs) == 1 else list(op.outputs)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        config = super().get_config()
        return {
            **config,
            "name": config["name"][len(_PREFIX) :],
            "node_def": proto.as_json(self.node_def),
            "constants": dict(self.constants),
        }


class AddLoss(Layer):
    """Adds its inputs, scalars, to the losses of the model.

    Args:
      unconditional: whether they are considered independent of the model's inputs.
    """

    _in_config = ("unconditional",)

    def __init__(self, unconditional: bool, **kwargs: Any):
        kwargs["autocast"] = False
        super().__init__(**kwargs)
        self.unconditional = unconditional

    def call(self, inputs: Any) -> Any:
        """Returns the inputs."""
        self.add_loss(inputs, inputs=not self.unconditional)
        return inputs


class AddMetric(Layer):
    """Adds its input to the metrics of the model.

    Args:
      aggregation, metric_name: as for `add_metric`.
    """

    _in_config = ("aggregation", "metric_name")

    def __init__(self, aggregation: Any = None, metric_name: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.aggregation = aggregation
        self.metric_name = metric_name

    def call(self, inputs: Any) -> Any:
        """Returns the input."""
        self.add_metric(inputs, self.aggregation, self.metric_name)
        return inputs


def _build_layer(node_def: bytes, name: str, constants: dict) -> Layer:
    return TensorFlowOpLayer(node_def, name, constants)


layer_of_operation.append(_build_layer)
