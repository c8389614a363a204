"""Tensors as TensorInfo messages: by name, with dtype and static shape."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.dtypes import as_dtype
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.indexed_slices_and_sparse_tensor import SparseTensor
from tfmini._src.graph.prefixes import prepend_name_scope


@deprecated(
    None,
    "This function will only be available through the v1 compatibility library as "
    "tf.compat.v1.saved_model.utils.build_tensor_info or tf.compat.v1.saved_model.build_tensor_info.",
)
def build_tensor_info(tensor: Any) -> Any:
    """A TensorInfo message that names a tensor, for a signature.

    Args:
      tensor: a Tensor, or a SparseTensor: then its three tensors are named.

    Example: `tf.saved_model.utils.build_tensor_info(images)`.
    """
    return tensor_info(tensor)


def tensor_info(tensor: Any) -> Any:
    """Implements `build_tensor_info`."""
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
    """A TensorInfo that names an operation: it has no dtype and no shape."""
    return proto.TensorInfo(name=op.name, tensor_shape=proto.TensorShapeProto(unknown_rank=True))


@deprecated(
    None,
    "This function will only be available through the v1 compatibility library as "
    "tf.compat.v1.saved_model.utils.get_tensor_from_tensor_info or "
    "tf.compat.v1.saved_model.get_tensor_from_tensor_info.",
)
def get_tensor_from_tensor_info(
    tensor_info: Any, graph: Any = None, import_scope: str | None = None
) -> Any:
    """The Tensor or SparseTensor that a TensorInfo names.

    Args:
      tensor_info: the message.
      graph: the graph to look in, by default the default graph.
      import_scope: the name scope that the signature's graph was imported into.

    Raises:
      KeyError: there is no such tensor.
      ValueError: the message names none.

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
    raise ValueError(f"Invalid TensorInfo.encoding: {encoding}")
