"""Tensors in memory mapped by two tasks: agreement, reuse, release, and verification of the file."""

import os
import tempfile

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import cluster_of
from tfmini._src.cluster import shared_memory
from tfmini._src.cluster.recv_tensor import reply_buffers
from tfmini._src.cluster.rendezvous import Item
from tfmini._src.cluster.shared_memory import Inbox, PeerFiles, is_possible
from tfmini._src.cluster.wire import five_byte_varint, tagged_field
from tfmini._src.formats.varints import varint
from tfmini.dtypes import float32

pytestmark = pytest.mark.skipif(not is_possible(), reason="this system has no anonymous files")


class Sender:
    """The peer of an inbox, in this process."""

    def __init__(self):
        self.files = PeerFiles()
        self.requests = []
        self.inbox = Inbox(self.share)

    def share(self, request, then):
        self.requests.append(request)
        taken = self.files.take(request)
        then(b"\x08\x01" if taken else b"", None)

    def bring(self, value, place=None):
        buffers = reply_buffers(Item(value, float32), 6)
        size = sum(map(len, buffers))
        buffers = [b"\x0a" + five_byte_varint(size), *buffers]
        if place is not None:
            result = self.files.write(place.file.secret, *place.region[:2], buffers)
            if result is not None:
                return result
        return b"".join(buffers)

    def ask(self, value):
        region = self.inbox.reserve(("a",))
        reply = self.bring(value, region)
        (item,) = self.inbox.read(region, ("a",), reply)
        return region is not None and len(reply) < 100, item.value


def test_inbox_negotiates_shared_file():
    sender = Sender()
    values = [np.full(10_000, n, np.float32) for n in range(6)]
    assert not sender.ask(values[0])[0]  # of unknown size
    assert not sender.ask(values[1])[0]  # the file is announced
    shared, kept = sender.ask(values[2])
    assert shared and not kept.flags.writeable and kept.ctypes.data % 16 == 0
    shared, other = sender.ask(values[3])
    assert shared and kept[0] == 2 and other[-1] == 3
    region = sender.inbox.reserve(("a",))
    sender.inbox.read(region, ("a",), sender.bring(values[4], region))
    assert sender.inbox.reserve(("a",)).region == region.region  # free again
    shared, large = sender.ask(np.ones(50_000, np.float32))
    assert not shared and large.sum() == 50_000  # it did not fit
    sender.inbox.give_up(sender.inbox.reserve(("a",)))
    sender.ask(values[4])
    assert len(sender.requests) == 2 and len(sender.files._files) == 1
    assert kept[0] == 2 and other[-1] == 3


def agreed(sender):
    """A reply region of an inbox that has identified its file."""
    assert sender.inbox.reserve(("a",), 20_000) is None
    return sender.inbox.reserve(("a",), 20_000)


def test_reply_may_fill_but_not_exceed_region():
    sender = Sender()
    region = agreed(sender)
    values = (np.arange(count, dtype=np.float32) for count in range(region.region.size // 4, 0, -1))
    value = next(value for value in values if len(sender.bring(value)) <= region.region.size)
    assert len(sender.bring(value)) == region.region.size
    reply = sender.bring(value, region)
    assert reply == b"\x10" + varint(region.region.size)
    (item,) = sender.inbox.read(region, ("a",), reply)
    np.testing.assert_array_equal(item.value, value)
    assert sender.bring(np.append(value, value[:1]), region)[:1] == b"\x0a"  # over the wire
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sender.inbox.read(region, ("a",), b"\x10" + varint(region.region.size + 1))
    assert caught.value.message == "The reply is larger than its buffer"


def test_writes_outside_file_are_rejected():
    sender = Sender()
    file = agreed(sender).file
    write, end = sender.files.write, file.size
    for offset, size, fits in (
        (16, 8, True),
        (15, 8, False),  # the position of the secret
        (0, 8, False),
        (end - 8, 8, True),
        (end - 7, 8, False),
        (end, 8, False),
        (64, 7, False),  # no space left for the data
    ):
        result = write(file.secret, offset, size, [b"abcd", b"efgh"])
        assert result == (b"\x10\x08" if fits else None), offset
        assert (file.memory[offset : offset + 8] == b"abcdefgh") == fits
    assert write(b"s" * 16, 64, 8, [b"abcd"]) is None
    assert file.memory[:16] == file.secret


def test_foreign_files_are_rejected():
    files = PeerFiles()
    secret = b"s" * 16

    def request(descriptor, secret=secret):
        return (
            b"\x08" + varint(os.getpid()) + b"\x10" + varint(descriptor) + tagged_field(3, secret)
        )

    with tempfile.TemporaryFile() as named:
        named.write(secret + bytes(4096))
        named.flush()
        assert not files.take(request(named.fileno()))
    unsealed = os.memfd_create("tfmini-tensors")
    os.write(unsealed, secret + bytes(4096))
    assert not files.take(request(unsealed))
    os.close(unsealed)
    assert not files.take(request(9999)) and not files.take(b"")
    assert files.write(secret, 64, 100, [b"x"]) is None


def test_tensors_between_tasks_use_shared_memory():
    with cluster_of({"ps": 1, "worker": 1}) as tasks:
        with tf.device("/job:ps/task:0"):
            large = tf.Variable(tf.zeros([300, 300]))
            add = large.assign_add(tf.ones([300, 300]))
            never = tf.FIFOQueue(1, [tf.float32]).dequeue()
        with tf.device("/job:worker/task:0"):
            total = tf.reduce_sum(add)
            stopped = tf.reduce_sum(large) + tf.reduce_sum(never)
            kept = tf.Variable(tf.zeros([300, 300]))
            keep = kept.assign(large)
        process = tasks["worker", 0].process.pid

        def files():
            with open(f"/proc/{process}/maps") as maps:
                return sum("memfd:tfmini-tensors" in line for line in maps)

        with tf.Session(tasks["worker", 0].target) as session:
            session.run(tf.global_variables_initializer())
            assert [session.run(total) for _ in range(8)] == [90_000.0 * n for n in range(1, 9)]
            assert files() == 1
            session.run(keep)
            session.run(keep)
            with pytest.raises(tf.errors.DeadlineExceededError, match="^Deadline Exceeded$"):
                session.run(stopped, options=tf.RunOptions(timeout_in_ms=200))
            assert [session.run(total) for _ in range(4)] == [90_000.0 * n for n in range(9, 13)]
            assert session.run(kept).sum() == 90_000 * 8


def test_reply_without_region_is_inline():
    sender = Sender()
    text = "^Malformed message$"
    for reply in (b"\x10" + varint(8), b""):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            sender.inbox.read(None, ("a",), reply)
    region = agreed(sender)
    (item,) = sender.inbox.read(region, ("a",), sender.bring(np.arange(3, dtype=np.float32)))
    assert item.value.tolist() == [0, 1, 2]
    assert sender.inbox.reserve(("a",), 20_000).region == region.region  # free again


def test_regions_are_allocated_per_size():
    """One per size, none for oversized tensors; requests contain the file's secret, the region and the size."""
    file = shared_memory._File(1 << 16)
    first, second = file.region(4096), file.region(8192)
    assert (first.offset, first.size, second.offset) == (64, 4096, 64 + 4096)
    assert first.request == tagged_field(3, file.secret) + varint(4 << 3) + varint(64) + varint(
        5 << 3
    ) + varint(4096)
    assert bytes(file.memory[:16]) == file.secret and len(file.secret) == 16
    file.free.setdefault(4096, []).append(first)
    assert file.region(8192) is not second
    assert file.region(4096) is first and file.region(4096) is not first
    assert file.region(1 << 16) is None
    rest = (1 << 16) - file.used
    assert file.region(rest + 1) is None and file.region(rest).size == rest
    assert file.region(1) is None


def test_region_sizes_are_whole_pages():
    assert [shared_memory._round_up_size(n) for n in (1, 3584, 3585, 100_000)] == [
        *(4096, 4096, 8192, 102_400),
    ]


def test_invalid_writes_of_peer_are_rejected():
    sender = Sender()
    for value in (np.zeros(10_000, "f"),) * 2:
        sender.ask(value)
    region = sender.inbox.reserve(("a",))
    secret, (offset, size, _) = region.file.secret, region.region
    write, length = sender.files.write, len(region.file.memory)
    assert write(secret, offset, size, [bytes(size)]) == b"\x10" + varint(size)
    for wrong in (
        (b"x" * 16, offset, size, [b"a"]),
        (secret, offset, size, [bytes(size), b"a"]),
        (secret, 15, size, [b"a"]),
        (secret, length - 10, 11, [b"a"]),
    ):
        assert write(*wrong) is None
    assert write(secret, length - 10, 10, [b"ab", b"c"]) == b"\x10\x03"
    assert region.file.memory[length - 10 : length - 6] == b"abc\0"
    assert write(secret, 16, 0, []) == b"\x10\x00"
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="^The reply is larger than its buffer$"
    ):
        sender.inbox._view(region, size + 1)


@pytest.mark.parametrize(
    "change",
    [
        {"secret": b"x" * 15},
        {"secret": b"x" * 16},
        {"process": 0},
        {"descriptor": 999_999},
        {"descriptor": 1},
    ],
    ids=str,
)
def test_invalid_files_are_rejected(change):
    file = shared_memory._File(1 << 16)
    given = {"process": os.getpid(), "descriptor": file.descriptor, "secret": file.secret, **change}
    request = varint(1 << 3) + varint(given["process"]) + varint(2 << 3)
    request += varint(given["descriptor"]) + tagged_field(3, given["secret"]) + tagged_field(4, b"")
    files = PeerFiles()
    assert files.take(request) is False and files._files == {}


def test_new_file_replaces_previous(monkeypatch):
    monkeypatch.setattr(shared_memory, "_MAX_PEER_FILES", 3)
    files, created, last = PeerFiles(), [], b""

    def take(before):
        file = shared_memory._File(1 << 16)
        created.append(file)
        request = varint(1 << 3) + varint(os.getpid()) + varint(2 << 3) + varint(file.descriptor)
        assert files.take(request + tagged_field(3, file.secret) + tagged_field(4, before))
        return file.secret

    for _ in range(3):
        last = take(last)
        assert list(files._files) == [last]
    kept = [last, *[take(b"") for _ in range(3)]]
    assert list(files._files) == kept[1:]  # the oldest was evicted
    process, memory = files._files.pop(kept[1])
    files._files[kept[1]] = (2**22 + 5, memory)  # a nonexistent process
    newest = take(b"")
    assert list(files._files) == [*kept[2:], newest]


def test_full_shared_memory_falls_back(monkeypatch):
    def full(size):
        raise OSError("no memory")

    sender = Sender()
    monkeypatch.setattr(shared_memory, "_File", full)
    for _ in range(3):
        shared, value = sender.ask(np.ones(10_000, "f"))
        assert not shared and value[0] == 1
    assert sender.inbox._is_disabled and sender.requests == []


def test_environment_variable_disables_shared_memory(monkeypatch):
    monkeypatch.setenv("TFMINI_SHARED_MEMORY", "0")
    assert not is_possible()
    sender = Sender()
    assert [sender.ask(np.ones(10_000, "f"))[0] for _ in range(3)] == [False] * 3
    file = shared_memory._File(1 << 16)
    request = varint(1 << 3) + varint(os.getpid()) + varint(2 << 3) + varint(file.descriptor)
    assert not PeerFiles().take(request + tagged_field(3, file.secret))
