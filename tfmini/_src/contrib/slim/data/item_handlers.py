"""Item handlers, which build items from the features of a parsed example."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph import composite_values as graph_values
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.data.lookup_tables.static_hash_table import LookupInterface
    from tfmini._src.graph.tensor import TensorLike


class ItemHandler(abc.ABC):
    """Interface of handlers that build an item from features.

    Args:
      keys: a feature name, or a list of them.
    """

    keys: Any = read_only("The names of the features.")

    def __init__(self, keys: Any):
        self._keys = keys if isinstance(keys, tuple | list) else [keys]

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """Returns the item built from the features, a dict of tensors by name."""


class ItemHandlerCallback(ItemHandler):
    """Handler that builds an item with a function.

    Args:
      keys: feature names.
      func: a function of a dict of tensors by these names.
    """

    def __init__(self, keys: Any, func: Callable[[dict[str, Any]], Any]):
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """Returns the result of the function."""
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Handler of bounding boxes, [boxes, 4], from one feature per side.

    Args:
      keys: the four feature names, by default ymin, xmin, ymax and xmax.
      prefix: prefix of each name.

    Raises:
      ValueError: if the number of keys is not four.
    """

    def __init__(self, keys: Any = None, prefix: str = ""):
        keys = ["ymin", "xmin", "ymax", "xmax"] if keys is None else keys
        if len(keys) != 4:
            raise ValueError(f"BoundingBox expects 4 keys but got {len(keys)}")
        super().__init__([prefix + key for key in keys])

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """Returns the boxes."""
        sides = []
        for key in self._keys:
            side = keys_to_tensors[key]
            if isinstance(side, graph_values.SparseTensor):
                side = side.values
            sides.append(ops.expand_dims(side, 0))
        return ops.transpose(ops.concat(sides, 0))


class Tensor(ItemHandler):
    """Handler that returns a feature as a dense tensor, reshaped on request.

    Args:
      tensor_key: feature name.
      shape_keys: names of the features with the shape, or with the sizes of its axes.
      shape: alternatively, the shape.
      default_value: value of missing elements in sparse features.

    Raises:
      ValueError: if both `shape_keys` and `shape` are given.
    """

    def __init__(
        self,
        tensor_key: str,
        shape_keys: Any = None,
        shape: TensorLike | None = None,
        default_value: TensorLike = 0,
    ):
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        if shape_keys and not isinstance(shape_keys, list):
            shape_keys = [shape_keys]
        self._tensor_key = tensor_key
        self._shape_keys = shape_keys
        self._shape = shape
        self._default_value = default_value
        super().__init__([tensor_key, *(shape_keys or ())])

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """Returns the dense tensor."""
        tensor, shape = keys_to_tensors[self._tensor_key], self._shape
        if self._shape_keys:
            sizes = [keys_to_tensors[key] for key in self._shape_keys]
            shape = ops.reshape(ops.stack([_dense(size) for size in sizes]), [-1])
        if not isinstance(tensor, graph_values.SparseTensor):
            return tensor if shape is None else ops.reshape(tensor, shape)
        if shape is not None:
            tensor = ops.sparse_reshape(tensor, shape)
        return ops.sparse_tensor_to_dense(tensor, self._default_value)


class LookupTensor(Tensor):
    """Handler that returns a feature as a dense tensor, with elements looked up in a table.

    Args:
      tensor_key, shape_keys, shape, default_value: as in `Tensor`.
      table: a lookup table.
    """

    def __init__(
        self,
        tensor_key: str,
        table: LookupInterface,
        shape_keys: str | Sequence[str] | None = None,
        shape: TensorLike | None = None,
        default_value: TensorLike = "",
    ):
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """Returns the table values of the tensor's elements."""
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """Handler that returns the item of one handler, or of a backup handler if that item is empty.

    Args:
      handler, backup: the two handlers.

    Raises:
      ValueError: if one of them is not an ItemHandler.
    """

    def __init__(self, handler: ItemHandler, backup: ItemHandler):
        for role, value in (("Primary", handler), ("Backup", backup)):
            if not isinstance(value, ItemHandler):
                raise ValueError(f"{role} handler is of type {type(value)} instead of ItemHandler")
        self._handler = handler
        self._backup = backup
        super().__init__(handler.keys + backup.keys)

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """Returns the item."""
        item = self._handler.tensors_to_item(keys_to_tensors)
        return ops.cond(
            pred=ops.equal(ops.reduce_prod(ops.shape(item)), 0),
            true_fn=lambda: self._backup.tensors_to_item(keys_to_tensors),
            false_fn=lambda: item,
        )


class SparseTensor(ItemHandler):
    """Handler that returns a sparse tensor, from a feature of indices and one of values.

    Args:
      indices_key, values_key: feature names, by default "indices" and "values".
      shape_key: name of the feature with the shape.
      shape: alternatively, the shape; by default the shape of the indices feature.
      densify: whether to return a dense tensor.
      default_value: value of missing elements when densifying.
    """

    def __init__(
        self,
        indices_key: str | None = None,
        values_key: str | None = None,
        shape_key: str | None = None,
        shape: TensorLike | None = None,
        densify: bool = False,
        default_value: TensorLike = 0,
    ):
        self._indices_key = indices_key or "indices"
        self._values_key = values_key or "values"
        self._shape_key = shape_key
        self._shape = shape
        self._densify = densify
        self._default_value = default_value
        keys = [self._indices_key, self._values_key]
        super().__init__([*keys, shape_key] if shape_key else keys)

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """Returns the sparse tensor, or the dense one."""
        indices = keys_to_tensors[self._indices_key]
        values = keys_to_tensors[self._values_key]
        if self._shape_key:
            shape = _dense(keys_to_tensors[self._shape_key])
        else:
            shape = self._shape or indices.dense_shape
        rank = ops.shape(indices.indices)[1]
        last = ops.cast(indices.values, dtypes.int64)
        outer = ops.slice(indices.indices, [0, 0], ops.stack([-1, rank - 1]))
        positions = ops.concat([outer, ops.reshape(last, [-1, 1])], 1)
        tensor = graph_values.SparseTensor(positions, values.values, shape)
        if self._densify:
            return ops.sparse_tensor_to_dense(tensor, self._default_value)
        return tensor


def _dense(tensor: Any) -> Any:
    if isinstance(tensor, graph_values.SparseTensor):
        return ops.sparse_tensor_to_dense(tensor)
    return tensor
