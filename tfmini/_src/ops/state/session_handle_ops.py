"""Tensors stored in a session across steps and accessed by handle.

The text of a handle is `NODE;NUMBER;DEVICE`. Fetching the handle stores its tensor in the session; until then, the
handle itself owns it, so that a step that does not fetch the handle leaves nothing behind.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InternalError, invalid
from tfmini._src.base.locks import make_rlock
from tfmini._src.devices.cuda.host_copies import host_copy
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import scalar, unknown
from tfmini._src.ops.operands import c_name, dense

# The number of unreferenced handles that remain valid, as in TensorFlow.
_MAX_DEAD = 9


class HandleText(bytes):
    """The text of a handle, which owns its tensor until the tensor is stored."""

    tensor: Any


class StoredTensors:
    """The tensors of a session; a server, which cannot observe fetches, stores them `at_once` on handle creation."""

    def __init__(self, at_once: bool = False) -> None:
        self._at_once = at_once
        self._tensors: dict[bytes, Any] = {}
        self._dead: list[bytes] = []
        self._ids = itertools.count()
        self._lock = make_rlock()  # because garbage collection may run

    def handle(self, node: str, device: str, tensor: Any) -> HandleText:
        """Creates a handle that owns a tensor."""
        text = HandleText(f"{node};{next(self._ids)};{device}".encode())
        if self._at_once:
            self._tensors[bytes(text)] = tensor
        else:
            text.tensor = tensor
        return text

    def keep(self, handle: HandleText) -> None:
        """Stores the tensor of a fetched handle."""
        self._tensors[bytes(handle)] = handle.tensor

    def find(self, handle: bytes) -> Any:
        """Returns the tensor of a handle; raises InvalidArgumentError for an unknown handle."""
        tensor = self._tensors.get(handle)
        if tensor is None:
            invalid(
                f"The tensor with handle '{handle.decode('utf-8', 'replace')}' is not in the session store."
            )
        return tensor

    def delete(self, handle: bytes) -> None:
        """Deletes the tensor of a handle; raises InvalidArgumentError for an unknown handle."""
        if self._tensors.pop(handle, None) is None:
            invalid(
                f"Failed to delete a tensor with handle '{handle.decode('utf-8', 'replace')}' in the session store."
            )

    def forget(self, handle: bytes) -> None:
        """Marks an unreferenced handle as dead; tensors of dead handles are deleted in batches."""
        with self._lock:
            self._dead.append(handle)
            if len(self._dead) > _MAX_DEAD:
                for dead in self._dead:
                    self._tensors.pop(dead, None)
                self._dead = []


SESSION_TENSORS = ("session tensors", "", "")


def stored_tensors(resources: Any) -> StoredTensors:
    """Returns the tensors stored in a session."""
    return resources.named(SESSION_TENSORS, StoredTensors)


def _store_value(ctx: Any, value: Any) -> Any:
    value = dense(value)
    stored = value if "value" in ctx.owned else value.copy()
    handle = np.empty((), object)
    handle[()] = stored_tensors(ctx.resources).handle(ctx.op.name, ctx.device, stored)
    return handle


@op("GetSessionHandle", "value: T -> handle: string", stateful=True, T=Attr("type"))
def get_session_handle_op(ctx, value):
    return _store_value(ctx, value)


@op("GetSessionHandleV2", "value: T -> handle: resource", stateful=True, T=Attr("type"))
def get_session_handle_v2_op(ctx, value):
    return _store_value(ctx, value)


@op("GetSessionTensor", "handle: string -> value: dtype", stateful=True, dtype=Attr("type"))
def get_session_tensor_op(ctx, handle):
    tensor = stored_tensors(ctx.resources).find(_scalar_handle(handle))
    actual, expected = dtypes.as_dtype(tensor.dtype), ctx.attrs["dtype"]
    if actual is not expected:
        raise InternalError(
            None,
            None,
            f"Output 0 of type {c_name(actual)} does not match declared output type {c_name(expected)} for node "
            "{{node}}",
        )
    return _copy_to_device(ctx, tensor)


def _copy_to_device(ctx: Any, tensor: Any) -> Any:
    """Copies a stored tensor to the memory of the node's device, which may differ from the producer's device."""
    if ctx.xp is np and not isinstance(tensor, np.ndarray | np.generic):
        return host_copy(tensor)
    if ctx.xp is not np and isinstance(tensor, np.ndarray | np.generic):
        return ctx.xp.asarray(tensor)
    return tensor.copy()


@op("DeleteSessionTensor", "handle: string ->", differentiable=False, stateful=True)
def delete_session_tensor_op(ctx, handle):
    stored_tensors(ctx.resources).delete(_scalar_handle(handle))


def _scalar_handle(handle: Any) -> bytes:
    if np.size(handle) != 1:
        invalid(f"A handle must be a scalar, got shape {list(np.shape(handle))}")
    return bytes(np.ravel(handle)[0])


for _declared in (get_session_handle_op, get_session_handle_v2_op):
    _declared.infer(scalar)
get_session_tensor_op.infer(unknown)
for _declared in (get_session_handle_op, get_session_handle_v2_op, get_session_tensor_op):
    _declared.differentiable = False
