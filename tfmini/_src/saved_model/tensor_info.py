"""TensorInfo messages, which describe the name, dtype and static shape of a tensor."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.dtypes import as_dtype
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.prefixes import prepend_name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import type_spec_from_value
from tfmini._src.saved_model.structured_value import StructureCoder, decode


@deprecated(
    None,
    "This function will only be available through the v1 compatibility library as "
    "tf.compat.v1.saved_model.utils.build_tensor_info or tf.compat.v1.saved_model.build_tensor_info.",
)
def build_tensor_info(tensor: TensorLike) -> Any:
    """Builds the TensorInfo message of a tensor for a signature.

    Args:
      tensor: a Tensor, SparseTensor or RaggedTensor; the message names the component tensors of the latter two.

    Raises:
      RuntimeError: in eager mode.

    Example: `tf.saved_model.utils.build_tensor_info(images)`.
    """
    return graph_tensor_info(tensor)


def graph_tensor_info(tensor: Any) -> Any:
    """Implements `build_tensor_info`."""
    if executing_eagerly():
        raise RuntimeError("build_tensor_info is not supported in Eager mode.")
    return tensor_info(tensor)


def tensor_info(tensor: Any) -> Any:
    """Returns the TensorInfo message of a tensor of a graph, in either mode."""
    if hasattr(tensor, "flat_values"):
        message = proto.TensorInfo()
        spec = StructureCoder().encode_structure(type_spec_from_value(tensor))
        message.composite_tensor.type_spec.CopyFrom(spec.type_spec_value)
        parts = flatten(tensor, expand_composites=True)
        message.composite_tensor.components.extend(map(tensor_info, parts))
        return message
    message = proto.TensorInfo(
        dtype=as_dtype(tensor.dtype).as_datatype_enum, tensor_shape=tensor.get_shape().as_proto()
    )
    if isinstance(tensor, SparseTensor):
        message.coo_sparse.values_tensor_name = tensor.values.name
        message.coo_sparse.indices_tensor_name = tensor.indices.name
        message.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    else:
        message.name = tensor.name
    return message


def op_info(op: Any) -> Any:
    """Returns the TensorInfo of an operation, without dtype and shape."""
    return proto.TensorInfo(name=op.name, tensor_shape=proto.TensorShapeProto(unknown_rank=True))


@deprecated(
    None,
    "This function will only be available through the v1 compatibility library as "
    "tf.compat.v1.saved_model.utils.get_tensor_from_tensor_info or "
    "tf.compat.v1.saved_model.get_tensor_from_tensor_info.",
)
def get_tensor_from_tensor_info(
    tensor_info: proto.TensorInfo, graph: Graph | None = None, import_scope: str | None = None
) -> Any:
    """Returns the Tensor, SparseTensor or RaggedTensor that a TensorInfo names.

    Args:
      tensor_info: the message.
      graph: the graph to search, by default the default graph.
      import_scope: name scope into which the graph was imported.

    Raises:
      KeyError: if the tensor is not in the graph.
      ValueError: if the message contains no tensor name.

    Example:
      info = meta_graph_def.signature_def["serving_default"].inputs["images"]
      images = tf.saved_model.utils.get_tensor_from_tensor_info(info, session.graph)
    """
    graph = graph or get_default_graph()

    def tensor(name: str) -> Any:
        return graph.get_tensor_by_name(prepend_name_scope(name, import_scope))

    encoding = tensor_info.WhichOneof("encoding")
    if encoding == "name":
        return tensor(tensor_info.name)
    if encoding == "coo_sparse":
        names = tensor_info.coo_sparse
        return SparseTensor(
            tensor(names.indices_tensor_name),
            tensor(names.values_tensor_name),
            tensor(names.dense_shape_tensor_name),
        )
    if encoding == "composite_tensor":
        type_spec = proto.StructuredValue(type_spec_value=tensor_info.composite_tensor.type_spec)
        parts = [tensor(part.name) for part in tensor_info.composite_tensor.components]
        return decode(type_spec)._from_components(parts)
    raise ValueError(f"Invalid TensorInfo.encoding: {encoding}")
