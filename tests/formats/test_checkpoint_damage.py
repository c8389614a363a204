"""Damaged checkpoints: reading one returns its values or raises tf.errors, in bounded memory."""

import contextlib
import io
import math
import random
import re
import struct
from pathlib import Path

import numpy as np
import pytest

from tests.formats.damage import COUNT
from tfmini import errors
from tfmini._src.base import proto
from tfmini._src.formats import table
from tfmini._src.formats.bundle import Bundle
from tfmini._src.formats.bundle_files import data_path, index_path
from tfmini._src.formats.bundle_writer import BundleWriter
from tfmini._src.formats.checkpoint_v1 import OldCheckpoint
from tfmini._src.formats.crc32c import crc32c, mask
from tfmini._src.formats.data_file import DataFile
from tfmini._src.formats.ordered_code import slice_key
from tfmini._src.formats.table import Table, TableWriter

GOLDEN = Path(__file__).parents[1] / "golden" / "checkpoints"


def damaged(whole, chosen, other):
    """A file with changed bits, bytes, length or offsets."""
    data = bytearray(whole)
    kind = chosen.randrange(6)
    offset = chosen.randrange(len(data))
    if kind == 0:
        data[offset] ^= 1 << chosen.randrange(8)
    elif kind == 1:
        del data[offset:]
    elif kind == 2:
        data[offset : offset + chosen.randrange(1, 9)] = chosen.randbytes(chosen.randrange(9))
    elif kind == 3:
        data[offset : offset + 10] = b"\xff" * 9 + b"\x7f"  # lengths of terabytes
    elif kind == 4:
        data[offset:offset] = other[: chosen.randrange(64)]
    else:  # block positions
        data[max(-48, -len(data)) + chosen.randrange(min(40, len(data)))] = chosen.randrange(256)
    return bytes(data)


def sealed(entries):
    """A table of these entries with valid checksums, so that only the content is wrong."""
    file = io.BytesIO()
    writer = TableWriter(file)
    for key, value in entries:
        writer.add(key, value)
    writer.finish()
    return file.getvalue()


def read_all(checkpoint, names):
    for name in names:
        with contextlib.suppress(errors.OpError):
            yield checkpoint.read(name)


def try_old(path):
    try:
        checkpoint = OldCheckpoint([path], path)
        list(read_all(checkpoint, checkpoint.names))
    except errors.OpError:
        return True
    return False


def try_bundle(prefix):
    try:
        bundle = Bundle(prefix)
        list(read_all(bundle, [name for name, _ in bundle.entries()]))
    except errors.OpError:
        return True
    return False


@pytest.mark.damage
@pytest.mark.parametrize("name", ["bundle", "kinds"])
@pytest.mark.parametrize("which", ["index", "data-00000-of-00001"])
def test_version_2_files(tmp_path, name, which):
    prefix = str(tmp_path / name)
    paths = {e: Path(f"{prefix}.{e}") for e in ("index", "data-00000-of-00001")}
    whole = {ending: (GOLDEN / f"{name}.{ending}").read_bytes() for ending in paths}
    for ending, path in paths.items():
        path.write_bytes(whole[ending])
    chosen = random.Random(name + which)
    result = 0
    for _ in range(COUNT):
        paths[which].write_bytes(damaged(whole[which], chosen, whole["index"]))
        result += try_bundle(prefix)
    assert result or which != "index"


@pytest.mark.damage
def test_version_1_files(tmp_path):
    whole = (GOLDEN / "old").read_bytes()
    chosen = random.Random(1)
    path = tmp_path / "old"
    result = 0
    for _ in range(COUNT):
        path.write_bytes(damaged(whole, chosen, whole))
        result += try_old(str(path))
    assert 0 < result < COUNT


@pytest.mark.damage
@pytest.mark.parametrize("name", ["bundle", "old"])
def test_inconsistent_entries(tmp_path, monkeypatch, name):
    """Entries changed at random, in a table with valid checksums."""
    monkeypatch.chdir(tmp_path)
    source = index_path(str(GOLDEN / name)) if name == "bundle" else str(GOLDEN / name)
    entries = list(Table(Path(source).read_bytes(), "source").items())
    chosen = random.Random(2)
    Path("lies.data-00000-of-00001").write_bytes(
        (GOLDEN / "bundle.data-00000-of-00001").read_bytes()
    )
    result = 0
    for _ in range(COUNT):
        changed = list(entries)
        for _ in range(chosen.choice([1, 1, 3])):
            i = chosen.randrange(len(entries))
            key, value = changed[i]
            changed[i] = key, damaged(value or b"\0", chosen, key)
        if name == "bundle":
            Path("lies.index").write_bytes(sealed(changed))
            result += try_bundle("lies")
            continue
        Path("lies").write_bytes(sealed(changed))
        result += try_old("lies")
    assert 0 < result < COUNT


def entry(**fields):
    shape = fields.pop("shape", [2])
    message = proto.BundleEntryProto(dtype=fields.pop("dtype", 1), **fields)
    for size in shape:
        message.shape.dim.add(size=size)
    return message


def slices(name, shape, parts):
    """A tensor of a large shape in slices: the full key, and a key for each."""
    whole = entry(shape=shape)
    for extents in parts:
        message = whole.slices.add()
        for start, length in extents:
            message.extent.add(start=start, length=length)
    return {name.encode(): whole, **{slice_key(name, p): entry(size=8) for p in parts}}


HUGE = 1 << 40
LIES = {
    "terabytes of numbers": (
        {b"a": entry(shape=[HUGE], size=8)},
        f"a has 8 bytes, .*{4 * HUGE}:",
    ),
    "a size of terabytes": (
        {b"a": entry(shape=[HUGE], size=4 * HUGE)},
        f"a is at bytes 0 to {4 * HUGE} of a shard of 8:",
    ),
    "more than there can be": (
        {b"a": entry(shape=[1 << 62, 1 << 62], size=8)},
        rf"a has the shape \[{1 << 62}, {1 << 62}\]:",
    ),
    "more than there can be, by the second axis": (
        {b"a": entry(shape=[2, 1 << 58], size=8)},
        rf"a has the shape \[2, {1 << 58}\]:",
    ),
    "as many as there can be": (
        {b"a": entry(shape=[2, 1 << 57], size=8)},
        f"a has 8 bytes, but its shape .* of float32 requires {1 << 60}:",
    ),
    "too many axes": ({b"a": entry(shape=[1] * 33, size=4)}, r"a has the shape \[1, 1, .*1\]:"),
    "nothing, but large": (
        {b"a": entry(shape=[0, 1 << 62, 1 << 62])},
        rf"a has the shape \[0, {1 << 62}, {1 << 62}\]:",
    ),
    "strings": ({b"a": entry(dtype=7, shape=[HUGE], size=8)}, f"a cannot hold {HUGE} strings:"),
    "a negative size": ({b"a": entry(shape=[-2], size=8)}, r"a has the shape \[-2\]:"),
    "a negative offset": (
        {b"a": entry(offset=-8, size=8)},
        "a is at bytes -8 to 0 of a shard of 8:",
    ),
    "another shard": ({b"a": entry(shard_id=7, size=8)}, "a is in shard 7 of 1:"),
    "a shard before the first": ({b"a": entry(shard_id=-1, size=8)}, "a is in shard -1 of 1:"),
    "an unknown dtype": ({b"a": entry(dtype=99, size=8)}, "a has unknown dtype 99:"),
    "a handle": ({b"a": entry(dtype=20, size=8)}, "a has unknown dtype 20:"),
    "no slices of terabytes": (
        slices("a", [HUGE], [[(0, HUGE)]]),
        "the shape of a slice of a differs from the listed one:",
    ),
    "slices that overlap": (
        slices("a", [3], [[(0, 2)], [(1, 2)]]),
        "Overlapping slices: existing slice = 0,2, new slice = 1,2",
    ),
    "as many elements as there are, one twice": (
        slices("a", [4], [[(0, 2)], [(1, 2)]]),
        "Overlapping slices: existing slice = 0,2, new slice = 1,2",
    ),
    "a slice of another dtype": (
        {**slices("a", [2], [[(0, 2)]]), slice_key("a", [(0, 2)]): entry(dtype=3, size=8)},
        "the dtype of a slice of a differs from the tensor's:",
    ),
    "a slice that is not there": (
        {b"a": slices("a", [2], [[(0, 2)]])[b"a"]},
        r".*a.* is missing: lie\.index",
    ),
    "a size of another dtype": (
        {b"a": entry(dtype=2, size=8)},
        r"a has 8 bytes, but its shape \[2\] of float64 requires 16: lie\.index",
    ),
    "a name of other bytes": (
        {b"a\xff": entry(size=8)},
        r"the name b'a\\xff' is not valid UTF-8: lie\.index",
    ),
    "one byte behind the end": (
        {b"a": entry(offset=1, size=8)},
        "a is at bytes 1 to 9 of a shard of 8:",
    ),
    "slices outside": (
        slices("a", [3], [[(2, 2)]]),
        r"a of shape \[3\] has no slice at \[\(2, 2\)\]:",
    ),
    "slices with gaps": (
        slices("a", [5], [[(0, 2)], [(3, 2)]]),
        "Does not have sufficient slices for partitioned tensor a to restore in slice_spec: -",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_inconsistent_sizes_and_offsets(tmp_path, monkeypatch, lie):
    monkeypatch.chdir(tmp_path)
    header = proto.BundleHeaderProto(num_shards=1)
    lies, text = LIES[lie]
    entries = {b"": header, **lies}
    Path(data_path("lie", 0, 1)).write_bytes(np.zeros(2, "f").tobytes())
    Path(index_path("lie")).write_bytes(
        sealed([(key, entries[key].SerializeToString()) for key in sorted(entries)])
    )
    kind = errors.InternalError if "overlap" in lie or "twice" in lie else errors.DataLossError
    if "gaps" in lie:
        kind = errors.InvalidArgumentError
    with pytest.raises(kind, match=f"^{text}"):
        list(Bundle("lie").entries())
        Bundle("lie").read("a")


# The full shape, its slices, and the two that TensorFlow names in "Overlapping slices: existing ..., new ...".
OVERLAPS = [
    ([4], [[(0, 2)], [(1, 2)]], ("0,2", "1,2")),
    ([2, 2], [[(0, 1), (0, 2)], [(0, 2), (1, 1)]], ("0,1:0,2", "0,2:1,1")),
    ([5], [[(0, 2)], [(2, 2)], [(3, 2)]], ("2,2", "3,2")),
]


@pytest.mark.parametrize("shape, parts, named", OVERLAPS)
def test_overlapping_slices(tmp_path, shape, parts, named):
    """No other bytes are stored or may be read."""
    text = "Overlapping slices: existing slice = {}, new slice = {}\nof a in ".format(*named)
    prefix, path = str(tmp_path / "two"), tmp_path / "one"
    with BundleWriter(prefix) as writer:
        for extents in parts:
            writer.add_slice("a", shape, extents, np.ones([n for _, n in extents], np.float32))
        writer.finish()
    with pytest.raises(errors.InternalError, match=re.escape(f"{text}{prefix}.index")):
        Bundle(prefix).read("a")
    listed = proto.SavedTensorSlices()
    tensor = listed.meta.tensor.add(name="a", type=1)
    entries = {b"": listed}
    for size in shape:
        tensor.shape.dim.add(size=size)
    for extents in parts:
        stored = proto.SavedTensorSlices()
        stored.data.data.float_val.extend([1.0] * math.prod(n for _, n in extents))
        entries[slice_key("a", extents)] = stored
        message = tensor.slice.add()
        for start, length in extents:
            message.extent.add(start=start, length=length)
    path.write_bytes(sealed(sorted((k, m.SerializeToString()) for k, m in entries.items())))
    with pytest.raises(errors.InternalError, match=re.escape(f"{text}{path}")):
        OldCheckpoint([str(path)], str(path))


@pytest.mark.parametrize("shards", [0, -1, 1 << 30])
def test_inconsistent_shard_counts(tmp_path, monkeypatch, shards):
    monkeypatch.chdir(tmp_path)
    header = proto.BundleHeaderProto(num_shards=shards)
    Path("lie.index").write_bytes(sealed([(b"", header.SerializeToString())]))
    with pytest.raises(errors.DataLossError, match="lie.index"):
        Bundle("lie")


def test_header_errors_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    big = proto.BundleHeaderProto.BIG
    for data, text in [
        (
            proto.BundleHeaderProto(num_shards=1, endianness=big).SerializeToString(),
            "written by a machine with a different byte order",
        ),
        (
            proto.BundleHeaderProto(num_shards=65536).SerializeToString(),
            "declares 65536 shards",
        ),
        (proto.BundleHeaderProto().SerializeToString(), "declares 0 shards"),
        (b"\x08\xff", "the entry of its header cannot be parsed"),
    ]:
        Path("lie.index").write_bytes(sealed([(b"", data)]))
        with pytest.raises(errors.DataLossError, match=rf"^{text}: lie\.index$"):
            Bundle("lie")
    Path("lie.index").write_bytes(sealed([(b"a", b"")]))
    with pytest.raises(errors.DataLossError, match=r"^its header is missing: lie\.index$"):
        Bundle("lie")
    most = proto.BundleHeaderProto(num_shards=65535).SerializeToString()
    Path("lie.index").write_bytes(sealed([(b"", most), (b"a", b"\x08\xff")]))
    assert Bundle("lie").shards == 65535
    with pytest.raises(
        errors.DataLossError, match=r"^the entry of a cannot be parsed: lie\.index$"
    ):
        Bundle("lie").entry("a")


def test_slices_are_assembled_from_stored_parts(tmp_path):
    """Slices along both axes, one of them empty; the requested part begins and ends inside them."""
    prefix, whole = str(tmp_path / "parts"), np.arange(48, dtype="i8").reshape(6, 8)
    with BundleWriter(prefix) as writer:
        for rows in ((0, 1), (1, 3), (4, 2)):
            for columns in ((0, 5), (5, 3)):
                part = whole[rows[0] : sum(rows), columns[0] : sum(columns)]
                writer.add_slice("a", [6, 8], [rows, columns], part)
        writer.add("b", whole[:0])
        writer.finish()
    bundle = Bundle(prefix)
    assert (bundle.read("a") == whole).all() and bundle.read("a").dtype == np.int64
    assert bundle.size("a") == 48 * 8 and bundle.shape("a") == (6, 8)
    assert bundle.dtype("a") == "int64" and "a" in bundle and "c" not in bundle
    assert bundle.read("b").shape == (0, 8) and bundle.size("b") == 0
    for rows in ((0, 6), (1, 3), (2, 4), (0, 2), (5, 1), (3, 0)):
        for columns in ((0, 8), (0, 5), (4, 2), (5, 3), (7, 1), (0, -1)):
            actual = bundle.read_slice("a", [rows, columns])
            end = 8 if columns[1] < 0 else sum(columns)
            np.testing.assert_array_equal(actual, whole[rows[0] : sum(rows), columns[0] : end])
            bundle.check("a", [rows, columns])


@pytest.mark.parametrize("name", ["bundle", "old"])
def test_file_truncated_while_reading(tmp_path, name):
    source = index_path(GOLDEN / name) if name == "bundle" else GOLDEN / name
    path = tmp_path / Path(source).name
    path.write_bytes(Path(source).read_bytes())
    read = Table(DataFile(str(path)), "file")
    path.write_bytes(b"")  # in place, like cp
    with pytest.raises(errors.DataLossError, match="Read less bytes than requested: .* at byte"):
        list(read.items())


def test_circular_blocks():
    """An index that lists itself as a block, and overlapping blocks."""
    block = table._BlockWriter(1)
    block.add(b"z", bytes([0, 21]))
    contents = block.contents() + b"\0"
    stored = contents + struct.pack("<I", mask(crc32c(contents)))
    footer = bytes([0, 0, 0, len(contents) - 1]).ljust(40, b"\0")
    data = stored + footer + struct.pack("<Q", table._MAGIC)
    read = Table(data, "circle")
    with pytest.raises(errors.DataLossError, match="circle at byte"):
        list(read.items())


@pytest.mark.parametrize("stored", [b"\xff" * 16, b"\x05" + b"\0" * 15, b"\x01\x01" + b"\0" * 14])
def test_inconsistent_string_lengths(tmp_path, stored):
    prefix = str(tmp_path / "lie")
    entries = {b"": proto.BundleHeaderProto(num_shards=1), b"a": entry(dtype=7, size=16)}
    Path(data_path(prefix, 0, 1)).write_bytes(stored)
    Path(index_path(prefix)).write_bytes(
        sealed([(key, entries[key].SerializeToString()) for key in sorted(entries)])
    )
    with pytest.raises(errors.DataLossError, match=f"of a.*{re.escape(prefix)}"):
        Bundle(prefix).read("a")
