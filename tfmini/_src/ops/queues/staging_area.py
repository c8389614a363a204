"""Staging areas, in which one step stores prepared tensors for another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape, unknown_shape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph import raw
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import colocate_with, name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops


def _as_list(values: Any) -> Any:
    if isinstance(values, list | tuple):
        return values
    return list(values.values()) if isinstance(values, dict) else [values]


class BaseStagingArea:
    """Base class of staging areas, which store tuples of tensors between steps."""

    name: str = read_only("The name of the area.")
    dtypes: Any = read_only("The dtype of each component.")
    shapes: list = read_only("The static shape of each component.")
    names: Any = read_only("The name of each component, or None.")
    capacity: int = read_only("The maximum number of tuples.")
    memory_limit: int = read_only("The maximum number of bytes.")

    def __init__(
        self,
        dtypes: Sequence[Any],
        shapes: Sequence[ShapeLike] | None = None,
        names: Sequence[str] | None = None,
        shared_name: str | None = None,
        capacity: int = 0,
        memory_limit: int = 0,
    ):
        if shared_name is None:
            self._name = get_default_graph().unique_name(type(self).__name__)
        elif isinstance(shared_name, str):
            self._name = shared_name
        else:
            raise ValueError("shared_name must be a string")
        for argument, value in (("shapes", shapes), ("names", names)):
            if value is not None and len(value) != len(dtypes):
                raise ValueError(f"StagingArea {argument} must be the same length as dtypes")
        self._dtypes = dtypes
        self._shapes = [unknown_shape() for _ in dtypes]
        if shapes is not None:
            self._shapes = [TensorShape(shape) for shape in shapes]
        self._names = names
        self._capacity = capacity
        self._memory_limit = memory_limit
        with name_scope(f"{self._name}_root"):
            self._coloc_op = ops.no_op()

    def _settings(self, name: str | None) -> dict[str, Any]:
        return {
            "shared_name": self._name,
            "name": name,
            "capacity": self._capacity,
            "memory_limit": self._memory_limit,
        }

    def _components(self, values: Any, indices: Any) -> tuple[list, Any]:
        """Converts values to store to tensors; returns them and the indices of their components."""
        if isinstance(values, dict):
            if not self._names:
                raise ValueError("Staging areas must have names to enqueue a dictionary")
            if not set(values).issubset(self._names):
                raise ValueError(
                    "Keys in dictionary to put do not match names of staging area. Dictionary: "
                    f"({sorted(values)}), Queue: ({sorted(self._names)})"
                )
            present_values = [
                (i, values[name]) for i, name in enumerate(self._names) if name in values
            ]
            indices, values = zip(*present_values)
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a staging area with names")
            if indices is None:
                raise ValueError("Indices must be supplied when inserting a list of tensors")
            if len(indices) != len(values):
                raise ValueError("Number of indices '%s' doesn't match number of values '%s'")
        if len(values) > len(self._dtypes):
            raise ValueError(
                f"Unexpected number of inputs '{len(values)}' vs '{len(self._dtypes)}'"
            )
        tensors = []
        for value, i in zip(values, indices):
            dtype = self._dtypes[i]
            if value.dtype != dtype:
                raise ValueError(f"Datatypes do not match. '{value.dtype}' != '{dtype}'")
            value.get_shape().assert_is_compatible_with(self._shapes[i])
            tensors.append(convert_to_tensor(value, dtype=dtype, name=f"component_{i}"))
        return tensors, indices

    def _on_device(self, tensors: Any) -> list:
        """Copies the tensors to the requested device."""
        tensors = list(tensors) if isinstance(tensors, list | tuple) else [tensors]
        if ops.no_op().device != self._coloc_op.device:
            tensors = [ops.identity(tensor) for tensor in tensors]
        return tensors

    def _results(self, tensors: Any, indices: Sequence[int]) -> Any:
        """Returns removed tensors, as a dictionary if components have names, else as a list."""
        components = self._on_device(tensors)
        for tensor, i in zip(components, indices):
            tensor.set_shape(self._shapes[i])
        if self._names:
            return {self._names[i]: tensor for tensor, i in zip(components, indices)}
        return components


class StagingArea(BaseStagingArea):
    """A staging area that returns tuples in first-in, first-out order.

    Args:
      dtypes: a list, the dtype of each component.
      shapes: the shape of each component, or None.
      names: the name of each component, or None; with names, tuples are dictionaries.
      shared_name: the name under which areas share contents; by default the name of the area.
      capacity: the maximum number of tuples; 0 for no limit.
      memory_limit: the maximum number of bytes; 0 for no limit.

    Raises:
      ValueError: if the number of shapes or names differs from the number of dtypes, or `shared_name` is not a string.

    Example:
      area = tf.contrib.staging.StagingArea([tf.float32], shapes=[[2]])
      put, (batch,) = area.put([tf.ones([2])]), area.get()
      session.run(put)
      session.run([batch, put])
    """

    def put(self, values: TensorLike, name: str | None = None) -> Any:
        """Returns an operation that stores a tuple, blocking while the area is full.

        Args:
          values: a list of Tensors, a Tensor, or a dictionary for named components.

        Raises:
          ValueError: if the values do not match the area's dtypes, shapes or names.
          tf.errors.ResourceExhaustedError (when run): if the values exceed the memory limit.
        """
        with name_scope(name, f"{self._name}_put", _as_list(values)) as scope:
            if not isinstance(values, list | tuple | dict):
                values = [values]
            tensors, _ = self._components(values, range(len(values)))
            with colocate_with(self._coloc_op):
                return raw.Stage(values=tensors, **self._settings(scope))

    def _all(self, tensors: Any) -> Any:
        return self._results(tensors, range(len(self._dtypes)))

    def get(self, name: str | None = None) -> Any:
        """Removes a tuple, blocking while the area is empty; returns Tensors or, for named components, a dictionary."""
        settings = self._settings(f"{self._name}_get" if name is None else name)
        with colocate_with(self._coloc_op):
            tensors = raw.Unstage(dtypes=self._dtypes, **settings)
        return self._all(tensors)

    def peek(self, index: TensorLike, name: str | None = None) -> Any:
        """Returns the tuple at `index`, a scalar int32, without removing it; blocks until it exists."""
        settings = self._settings(f"{self._name}_peek" if name is None else name)
        with colocate_with(self._coloc_op):
            tensors = raw.StagePeek(index, dtypes=self._dtypes, **settings)
        return self._all(tensors)

    def size(self, name: str | None = None) -> Any:
        """Returns the number of tuples in the area as a scalar int32 Tensor."""
        settings = self._settings(f"{self._name}_size" if name is None else name)
        return raw.StageSize(dtypes=self._dtypes, **settings)

    def clear(self, name: str | None = None) -> Any:
        """Returns an operation that removes all tuples."""
        settings = self._settings(f"{self._name}_clear" if name is None else name)
        return raw.StageClear(dtypes=self._dtypes, **settings)


class MapStagingArea(BaseStagingArea):
    """A staging area that stores tuples by key; their components can be stored and removed separately.

    Args:
      ordered: whether to remove the tuple with the smallest key if no key is passed.
      Other arguments are as in `StagingArea`.
    """

    @arguments_of(BaseStagingArea)
    def __init__(self, shared_name: str | None, ordered: bool = False, **settings: Any):
        super().__init__(shared_name=shared_name, **settings)
        self._prefix = "Ordered" if ordered else ""

    def _form(self, name: str) -> Callable[..., Any]:
        return getattr(raw, f"{self._prefix}{name}")

    def put(self, key: Any, vals: Any, indices: Any = None, name: str | None = None) -> Any:
        """Returns an operation that stores components of the tuple of a key.

        Args:
          key: a scalar int64.
          vals: a list of Tensors, or a dictionary for named components.
          indices: the indices of the components, in order, for areas without names.

        Raises:
          ValueError: if the values do not match the area's dtypes, shapes or names.
          tf.errors.InvalidArgumentError (when run): if a component already exists.
        """
        with name_scope(name, f"{self._name}_put", _as_list(vals)) as scope:
            tensors, indices = self._components(vals, indices)
            with colocate_with(self._coloc_op):
                put = self._form("MapStage")
                settings = self._settings(scope)
                return put(key, list(indices), tensors, dtypes=self._dtypes, **settings)

    def _choose(self, indices: Any) -> tuple[list[int], list]:
        """Returns the indices and dtypes of the requested components."""
        if indices is None:
            indices = list(range(len(self._dtypes)))
        if not isinstance(indices, list | tuple):
            raise TypeError(f"Invalid indices type '{type(indices)}'")
        if not indices:
            raise ValueError("Empty indices")
        if all(isinstance(i, str) for i in indices):
            if self._names is None:
                raise ValueError(
                    f"String indices provided '{indices}', but this Staging Area was not created with names."
                )
            for name in indices:
                if name not in self._names:
                    raise ValueError(
                        f"Named index '{name}' not in Staging Area names '{self._names}'"
                    )
            indices = [list(self._names).index(name) for name in indices]
        elif not all(isinstance(i, int) for i in indices):
            raise TypeError(f"Mixed types in indices '{indices}'. May only be str or int")
        return list(indices), [self._dtypes[i] for i in indices]

    def peek(self, key: Any, indices: Any = None, name: str | None = None) -> Any:
        """Returns components of the tuple of a key, without the key and without removing them."""
        settings = self._settings(f"{self._name}_pop" if name is None else name)
        indices, dtypes = self._choose(indices)
        with colocate_with(self._coloc_op):
            tensors = self._form("MapPeek")(key, indices=indices, dtypes=dtypes, **settings)
        return self._results(tensors, indices)

    def get(self, key: Any = None, indices: Any = None, name: str | None = None) -> tuple[Any, ...]:
        """Removes and returns the tuple of a key, blocking until the tuple is complete.

        Args:
          key: a scalar int64; None for any key, or for the smallest key if ordered.
          indices: the indices or names of the components to remove; all by default.

        Raises:
          tf.errors.InvalidArgumentError (when run): if a component has already been removed.
        """
        op_suffix = "get_nokey" if key is None else "get"
        settings = self._settings(f"{self._name}_{op_suffix}" if name is None else name)
        indices, dtypes = self._choose(indices)
        with colocate_with(self._coloc_op):
            if key is None:
                result = self._form("MapUnstageNoKey")(indices=indices, dtypes=dtypes, **settings)
            else:
                result = self._form("MapUnstage")(key, indices=indices, dtypes=dtypes, **settings)
        if key is None:
            key, result = result
            key = self._on_device(key)[0]
        return key, self._results(result, indices)

    def _count(self, node: str, op_suffix: str, name: str | None) -> Any:
        settings = self._settings(f"{self._name}_{op_suffix}" if name is None else name)
        return self._form(node)(dtypes=self._dtypes, **settings)

    def size(self, name: str | None = None) -> Any:
        """Returns the number of complete tuples in the area as a scalar int32 Tensor."""
        return self._count("MapSize", "size", name)

    def incomplete_size(self, name: str | None = None) -> Any:
        """Returns the number of incomplete tuples in the area as a scalar int32 Tensor."""
        return self._count("MapIncompleteSize", "incomplete_size", name)

    def clear(self, name: str | None = None) -> Any:
        """Returns an operation that removes all tuples."""
        return self._count("MapClear", "clear", name)
