"""Session tensor handles: keep a step's result in the session for feeding to later steps, without copies."""

from __future__ import annotations

import weakref
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType, DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.device_spec import canonical
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import colocate_with, device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.state.session_handle_ops import HandleText, stored_tensors

if TYPE_CHECKING:
    from tfmini._src.session.base_session import BaseSession
    from tfmini._src.session.fetches import Fetches

# The number of unreferenced server handles to accumulate before they are deleted, as in TensorFlow.
_MAX_DEAD = 9

# Names of each graph's nodes that read and delete tensors by handle; references to the nodes would keep it alive.
_readers: weakref.WeakKeyDictionary[Graph, dict[str, tuple[str, str]]] = weakref.WeakKeyDictionary()
_deleters: weakref.WeakKeyDictionary[Graph, dict[int, tuple[str, str]]] = (
    weakref.WeakKeyDictionary()
)


class TensorHandle:
    """Handle of a tensor kept in a session; `session.run` returns it for `tf.get_session_handle`.

    A handle can be fed in place of the tensor's value, to a placeholder of any shape. The tensor is released after the
    last reference to the handle; after `get_raw_handle()`, the program must delete it.

    Args:
      handle: the handle string, `NODE;NUMBER;DEVICE`.
      dtype: the tensor's dtype.
      session: the session that holds the tensor.

    Example:
      handle = session.run(tf.get_session_handle(state))
      session.run(next_state, feed_dict={state_placeholder: handle})
    """

    handle: str = read_only("The handle's text.")

    def __init__(self, handle: str | bytes, dtype: DType, session: BaseSession):
        self._handle = handle.decode() if isinstance(handle, bytes) else str(handle)
        self._dtype = dtype
        self._session = session
        self._auto_gc_enabled = True

    def __del__(self) -> None:
        if not getattr(self, "_auto_gc_enabled", False):
            return
        remote = self._session._remote
        if remote is None:
            stored_tensors(self._session._resources).forget(self._handle.encode())
        else:
            remote.dead_handles.append(self._handle)

    def __str__(self) -> str:
        return self._handle

    def _check_not_deleted(self) -> None:
        if not self._auto_gc_enabled:
            raise TypeError(f"Persistent tensor {self._handle} may have already been deleted.")

    def eval(self) -> Any:
        """Returns the value of the tensor.

        Raises:
          TypeError: after `delete()` or `get_raw_handle()`.
          tf.errors.InvalidArgumentError: if the session no longer holds the tensor.
        """
        self._check_not_deleted()
        holder, value = _handle_reader(self._session.graph, self._handle, self._dtype)
        return self._session.run(value, {holder: self._handle})

    def delete(self) -> None:
        """Deletes the tensor from the session.

        Raises:
          TypeError: after `delete()` or `get_raw_handle()`.
          tf.errors.InvalidArgumentError: if the session no longer holds the tensor.
        """
        self._check_not_deleted()
        self._auto_gc_enabled = False
        holder, deletes = _handle_deleter(self._session.graph, 0, self._handle)
        self._session.run(deletes, {holder: self._handle})

    def get_raw_handle(self) -> str:
        """Returns the handle string; the tensor stays until `tf.delete_session_tensor` or the session closes."""
        self._auto_gc_enabled = False
        return self._handle


def resolve_handles(session: BaseSession, resolved: Fetches, fed: Container[Tensor]) -> None:
    """Makes a step return its fetched handles as `TensorHandle`s and retain their tensors."""
    handle_dtypes = {
        index: tensor.op.inputs[0].dtype.base_dtype
        for index, tensor in enumerate(resolved.tensors)
        if tensor.op.type in ("GetSessionHandle", "GetSessionHandleV2") and tensor not in fed
    }
    if not handle_dtypes:
        return
    build = resolved.build

    def with_handles(values: Sequence[Any]) -> Any:
        values = list(values)
        for index, dtype in handle_dtypes.items():
            handle = values[index]
            if isinstance(handle, HandleText) and session._remote is None:
                stored_tensors(session._resources).keep(handle)
            values[index] = TensorHandle(handle, dtype, session)
        if session._remote is not None:
            _forget_dead(session, session._remote.dead_handles)
        return build(values)

    resolved.build = with_handles


def _forget_dead(session: BaseSession, dead_handles: list[str]) -> None:
    """Deletes the server's tensors whose handles are unreferenced, once more than `_MAX_DEAD` have accumulated."""
    if len(dead_handles) <= _MAX_DEAD or session.graph.finalized:
        return
    handles = [dead_handles.pop() for _ in range(len(dead_handles))]
    deleters = [_handle_deleter(session.graph, n, handle) for n, handle in enumerate(handles)]
    session.run(
        [op for _, op in deleters], {holder: h for (holder, _), h in zip(deleters, handles)}
    )


def unwrap_handle(result: object) -> Any:
    """Replaces a `TensorHandle`, the only result of a callable, with its string."""
    if result.__class__ is TensorHandle:
        return result.get_raw_handle().encode()
    return result


def _handle_device(handle: str | bytes) -> str:
    text = handle.decode() if isinstance(handle, bytes) else str(handle)
    return canonical(text.split(";")[-1])


def _handle_reader(graph: Graph, handle: str, dtype: DType) -> tuple[Tensor, Tensor]:
    """Returns the graph's (placeholder, value) tensors that read handles of one node and device."""
    parts = handle.split(";")
    key = f"{parts[0]};{parts[-1]}"
    readers = _readers.setdefault(graph, {})
    if key not in readers:
        with graph.as_default(), graph.device(_handle_device(handle)):
            holder = ops.placeholder(dtypes.string)
            readers[key] = holder.name, raw.GetSessionTensor(holder, dtype=dtype).name
    fed, value = readers[key]
    return graph.get_tensor_by_name(fed), graph.get_tensor_by_name(value)


def _handle_deleter(graph: Graph, index: int, handle: str) -> tuple[Tensor, Operation]:
    """Returns the graph's placeholder and operation for the `index`-th deletion of a step."""
    deleters = _deleters.setdefault(graph, {})
    if index not in deleters:
        with graph.as_default(), graph.device(_handle_device(handle)):
            holder = ops.placeholder(dtypes.string)
            deleters[index] = holder.name, raw.DeleteSessionTensor(holder).name
    fed, deleting = deleters[index]
    return graph.get_tensor_by_name(fed), graph.get_operation_by_name(deleting)


@public
def get_session_handle(data: Tensor, name: str | None = None) -> Tensor:
    """Returns a handle of `data`; fetching it keeps the tensor in the session for later steps.

    Returns:
      A scalar string Tensor. `session.run` returns it as a `TensorHandle`, which can be fed, evaluated and deleted.

    Raises:
      TypeError: if `data` is not a Tensor.

    Example:
      handle = session.run(tf.get_session_handle(tf.matmul(a, b)))
      holder, product = tf.get_session_tensor(handle.handle, tf.float32)
      session.run(product * 2.0, feed_dict={holder: handle.handle})
    """
    if not isinstance(data, Tensor):
        raise TypeError("`data` must be of type Tensor.")
    with colocate_with(data):
        return raw.GetSessionHandle(data, name=name)


@public
def get_session_tensor(
    handle: str | bytes, dtype: DTypeLike, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Returns a placeholder for a handle, and the tensor stored in the session under it.

    Args:
      handle: a handle string; the operation is placed on its device.
      dtype: the tensor's dtype.

    Returns:
      A placeholder for the handle string, and the session's Tensor with that handle.

    Raises:
      tf.errors.InvalidArgumentError: at run time, for an unknown handle.
      tf.errors.InternalError: at run time, if the tensor has a different dtype.
    """
    with device(_handle_device(handle)):
        holder = ops.placeholder(dtypes.string)
        return holder, raw.GetSessionTensor(holder, dtype=dtype, name=name)


@public
def delete_session_tensor(handle: str | bytes, name: str | None = None) -> tuple[Tensor, Operation]:
    """Returns a placeholder for a handle, and an operation that deletes the tensor stored under it.

    Args:
      handle: a handle string; the operation is placed on its device.

    Returns:
      A placeholder for the handle string, and the Operation.

    Raises:
      tf.errors.InvalidArgumentError: at run time, for an unknown handle.
    """
    with device(_handle_device(handle)):
        holder = ops.placeholder(dtypes.string)
        return holder, raw.DeleteSessionTensor(holder, name=name)
