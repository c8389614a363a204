"""Tensor transfer between tasks of one host through shared memory.

The receiver owns the memory: an anonymous file, freed with the processes that map it. After a first large reply over
the wire, the receiver offers its file to the sender (`SHARE_MEMORY`: process id, descriptor, and a secret stored in the
file); a sender on another host, of another user or of TensorFlow cannot open it and keeps using the wire. Later
requests reserve a region of the file, as large as the last reply for the same tensors; the sender writes its reply
there and announces it in a few bytes. A reply that does not fit uses the wire.

A region is free again once no array references it. After a failed call, whose sender may still be writing, the whole
file is abandoned for a new one.

TFMINI_SHARED_MEMORY=0 disables it.
"""

from __future__ import annotations

import mmap
import os
import secrets
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.base.system import fcntl, has_anonymous_files
from tfmini._src.cluster.recv_tensor import RepliesRead
from tfmini._src.cluster.rendezvous import Item
from tfmini._src.cluster.wire import Buffers, fields, tagged_field
from tfmini._src.formats.varints import varint

# Smaller replies use the wire.
_MIN_REPLY_BYTES = 16 << 10
_MAX_FILE_BYTES = 4 << 30  # bytes per channel file; pages never written to use no memory
_FILE_NAME = "tfmini-tensors"
_SECRET = 16
_ALIGNMENT = 64
_MAX_SIZES = 4096
_MAX_PEER_FILES = 256


def is_possible() -> bool:
    """Whether the system supports anonymous files, and the environment does not disable their use."""
    return has_anonymous_files and os.environ.get("TFMINI_SHARED_MEMORY", "1") != "0"


class _Region(NamedTuple):
    """Space for a reply.

    request: its description in requests, as encoded fields.
    """

    offset: int
    size: int
    request: bytes


class _File:
    """A mapped anonymous file of this process, from which regions are allocated."""

    def __init__(self, size: int):
        self.secret = secrets.token_bytes(_SECRET)
        self.descriptor = os.memfd_create(_FILE_NAME, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.descriptor, size)
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)
        self.memory = mmap.mmap(self.descriptor, size)
        self.memory[:_SECRET] = self.secret
        self.size = size
        self.used = _ALIGNMENT
        self.free: dict[int, list[_Region]] = {}  # by size
        self._close_finalizer = weakref.finalize(self, os.close, self.descriptor)

    def region(self, size: int) -> _Region | None:
        """Returns a free region, if any, else None."""
        free = self.free.get(size)
        if free:
            return free.pop()
        if self.used + size > self.size:
            return None
        offset, self.used = self.used, self.used + size
        fields = varint(4 << 3) + varint(offset) + varint(5 << 3) + varint(size)
        return _Region(offset, size, tagged_field(3, self.secret) + fields)


def _round_up_size(size: int) -> int:
    """Returns the bytes to reserve for a reply of about `size`, whose varints may turn out longer."""
    return -(-(size + 512) // 4096) * 4096


class ReservedRegion(NamedTuple):
    """Region reserved for one reply."""

    file: _File
    region: _Region


class _UsedRegion(weakref.ref[Any]):
    """A referenced array and its region, which is freed with the array."""

    __slots__ = ("reservation",)

    reservation: ReservedRegion


class Inbox:
    """Receiving end of a channel's shared memory.

    Args:
      share: `share(request, on_done)` calls `SHARE_MEMORY` on the channel; `on_done(reply, error)`.
    """

    def __init__(self, share: Callable[[bytes, Any], Any]):
        self._share = share
        self._lock = make_lock()
        self._sizes: dict[tuple[str, ...], int] = {}
        self._replies = RepliesRead()
        self._used: dict[int, _UsedRegion] = {}
        self._file: _File | None = None
        self._last = b""  # the previous file's secret
        self._is_agreed = False
        self._is_disabled = not is_possible()

    def reserve(self, keys: tuple[str, ...], size: int = 0) -> ReservedRegion | None:
        """Returns the region for a reply with the tensors of `keys`; None if the reply must use the wire.

        size: total bytes of the tensors, if known before their first reply.
        """
        if self._is_disabled:
            return None
        size = _round_up_size(size) if size else self._sizes.get(keys, 0)
        if size < _MIN_REPLY_BYTES:
            return None
        with self._lock:
            file = self._file
            if file is not None:
                region = file.region(size) if self._is_agreed else None
                return None if region is None else ReservedRegion(file, region)
            try:
                file = self._file = _File(_MAX_FILE_BYTES)
            except OSError:
                self._is_disabled = True
                return None
        self._offer(file)
        return None

    def _offer(self, file: _File) -> None:
        """Offers a new file to the sender."""
        request = b"".join(
            (
                varint(1 << 3) + varint(os.getpid()),
                varint(2 << 3) + varint(file.descriptor),
                tagged_field(3, file.secret),
                tagged_field(4, self._last),
            )
        )
        self._last = file.secret

        def on_reply(reply: bytes | None, error: BaseException | None) -> None:
            with self._lock:
                if file is not self._file:
                    return
                if reply == b"\x08\x01":
                    self._is_agreed = True
                else:
                    self._file, self._is_disabled = None, True

        self._share(request, on_reply)

    def read(
        self, reservation: ReservedRegion | None, keys: tuple[str, ...], reply: Any
    ) -> list[Item]:
        """Returns the tensors of a reply whose bytes are in the region or in the message itself."""
        if reservation is not None and len(reply) < _MIN_REPLY_BYTES:
            used = [
                value for field, wire_type, value in fields(reply) if field == 2 and wire_type == 0
            ]
            if used:
                return self._replies.read(self._view(reservation, used[0]), keys)
        if reservation is not None:
            self._release(reservation)
        if len(reply) >= _MIN_REPLY_BYTES and not self._is_disabled:
            if len(self._sizes) >= _MAX_SIZES:
                self._sizes.clear()
            self._sizes[keys] = _round_up_size(len(reply))
        return self._replies.read(reply, keys)

    def _view(self, reservation: ReservedRegion, used: int) -> memoryview:
        """Returns the view of a reply's bytes; the region is freed when the view is garbage-collected."""
        file, region = reservation
        if used > region.size:
            invalid("The reply is larger than its buffer")
        block = np.frombuffer(file.memory, np.uint8, used, region.offset)
        reference = _UsedRegion(block, self._mark_unused)
        reference.reservation = reservation
        self._used[id(reference)] = reference
        return block.data.toreadonly()

    def _mark_unused(self, reference: _UsedRegion) -> None:
        del self._used[id(reference)]
        self._release(reference.reservation)

    def _release(self, reservation: ReservedRegion) -> None:
        file, region = reservation
        file.free.setdefault(region.size, []).append(region)  # atomic: one bytecode each

    def give_up(self, reservation: ReservedRegion | None) -> None:
        """Abandons the file after a failed call, since its region may still be written to."""
        if reservation is not None:
            with self._lock:
                if self._file is reservation.file:
                    self._file, self._is_agreed = None, False


class PeerFiles:
    """Files that other tasks have shared with this one, by secret."""

    def __init__(self) -> None:
        self._lock = make_lock()
        self._files: dict[bytes, tuple[int, mmap.mmap]] = {}

    def take(self, request: bytes) -> bool:
        """Maps the file of a `SHARE_MEMORY` request; returns False unless it belongs to this host and user."""
        integers = {1: 0, 2: 0}
        texts = {3: b"", 4: b""}
        for field, wire_type, value in fields(request):
            if field in integers and wire_type == 0:
                integers[field] = value
            elif field in texts and wire_type == 2:
                texts[field] = request[value[0] : value[1]]
        secret = texts[3]
        if len(secret) != _SECRET or not is_possible():
            return False
        memory = _map_peer_file(integers[1], integers[2])
        if memory is None or not secrets.compare_digest(memory[:_SECRET], secret):
            return False
        with self._lock:
            self._files.pop(texts[4], None)
            for other, (process, _) in list(self._files.items()):
                if not os.path.exists(f"/proc/{process}"):
                    del self._files[other]
            while len(self._files) >= _MAX_PEER_FILES:
                del self._files[next(iter(self._files))]
            self._files[secret] = (integers[1], memory)
        return True

    def write(self, secret: bytes, offset: int, size: int, buffers: Buffers) -> bytes | None:
        """Writes a reply to a region; returns the message that announces it, or None if that fails."""
        mapped = self._files.get(secret)
        total = sum(map(len, buffers))
        if mapped is None or total > size or offset < _SECRET or offset + size > len(mapped[1]):
            return None
        with memoryview(mapped[1]) as memory:
            for buffer in buffers:
                memory[offset : offset + len(buffer)] = buffer
                offset += len(buffer)
        return b"\x10" + varint(total)


def _map_peer_file(process: int, descriptor: int) -> mmap.mmap | None:
    """Maps another local process's tensor file, given its descriptor; returns None if it is any other file."""
    path = f"/proc/{process}/fd/{descriptor}"
    try:
        if not os.readlink(path).startswith(f"/memfd:{_FILE_NAME}"):
            return None
        opened = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if not fcntl.fcntl(opened, fcntl.F_GET_SEALS) & fcntl.F_SEAL_SHRINK:
            return None
        return mmap.mmap(opened, os.fstat(opened).st_size)
    except (OSError, ValueError):
        return None
    finally:
        os.close(opened)
