"""TensorFlow's record files are read, and rewritten byte for byte; damage is detected."""

import gc
import os
import random
import struct
import subprocess
import sys
import threading
import tracemalloc
import zlib
from pathlib import Path

import pytest

import tfmini as tf
from tests.formats.damage import damaged_files
from tests.formats.records import RECORDS, examples
from tfmini._src.formats.crc32c import crc32c, mask
from tfmini._src.formats.record_reader_writer import RecordReader

GOLDEN = Path(__file__).parents[1] / "golden" / "records"
FILES = [("", "records"), ("GZIP", "records.gzip"), ("ZLIB", "records.zlib")]


def read(path, compression=""):
    with RecordReader(path, compression) as records:
        return list(records)


def damaged(path, compression=""):
    """The records before the damage, and the error text."""
    result = []
    with pytest.raises(tf.errors.DataLossError) as caught:
        with RecordReader(path, compression) as records:
            result.extend(map(len, records))
    text, _, location = caught.value.message.partition("\n")
    assert str(path) in location
    return result, text


def write(path, records, options=None):
    with tf.python_io.TFRecordWriter(str(path), options) as writer:
        for record in records:
            writer.write(record)


@pytest.mark.parametrize("compression, name", FILES)
def test_tensorflow_records_round_trip(compression, name, tmp_path):
    whole = (GOLDEN / name).read_bytes()
    assert read(GOLDEN / name, compression) == RECORDS
    write(tmp_path / name, RECORDS, compression)
    written = (tmp_path / name).read_bytes()
    if compression:  # the compression ratio depends on zlib's version
        bits = zlib.MAX_WBITS + (16 if compression == "GZIP" else 0)
        assert zlib.decompress(written, bits) == zlib.decompress(whole, bits)
    else:
        assert written == whole


def test_tensorflow_examples_are_read():
    stored = list(tf.python_io.tf_record_iterator(str(GOLDEN / "examples")))
    assert [tf.train.Example.FromString(record) for record in stored] == list(examples(tf))


@pytest.mark.parametrize(
    "inputs, name",
    [(None, ""), ("", ""), (0, ""), (1, "ZLIB"), (2, "GZIP"), ("GZIP", "GZIP")],
)
def test_compression_option_forms(inputs, name, tmp_path):
    options = tf.io.TFRecordOptions
    assert options.get_compression_type_string(inputs) == name
    assert options.get_compression_type_string(options(inputs)) == name
    path = tmp_path / "file"
    for way in (inputs, options(inputs), options(options(inputs))):
        write(path, RECORDS, way)
        assert list(tf.io.tf_record_iterator(str(path), way)) == RECORDS
        assert read(path, name) == RECORDS


def test_unknown_compression_is_refused(tmp_path):
    for use in (
        lambda: tf.io.TFRecordOptions("BZ2"),
        lambda: tf.io.TFRecordWriter(str(tmp_path / "file"), "BZ2"),
        lambda: list(tf.io.tf_record_iterator(str(tmp_path / "file"), "BZ2")),
    ):
        with pytest.raises(ValueError, match='^Not a valid compression_type: "BZ2"$'):
            use()


@pytest.mark.parametrize(
    "settings",
    [
        {"compression_level": 0},
        {"flush_mode": zlib.Z_SYNC_FLUSH, "input_buffer_size": 10},
        {"window_bits": 9, "mem_level": 1, "compression_strategy": zlib.Z_RLE},
        {"compression_method": zlib.DEFLATED, "output_buffer_size": 1000},
    ],
)
def test_zlib_options(settings, tmp_path):
    sizes = []
    for inputs in ({}, settings):
        write(tmp_path / "file", RECORDS, tf.io.TFRecordOptions("ZLIB", **inputs))
        assert read(tmp_path / "file", "ZLIB") == RECORDS
        sizes.append((tmp_path / "file").stat().st_size)
    assert sizes[0] < sizes[1] or "compression_method" in settings


@pytest.mark.parametrize(
    "settings",
    [
        {"window_bits": 99},
        {"compression_level": 77},
        {"mem_level": 99},
        {"compression_strategy": 55},
        {"compression_method": 3},
        {"flush_mode": 77},
    ],
)
def test_invalid_zlib_options(settings, tmp_path):
    """TensorFlow crashes."""
    with pytest.raises(tf.errors.InvalidArgumentError, match="deflateInit failed with status-2"):
        tf.io.TFRecordWriter(str(tmp_path / "file"), tf.io.TFRecordOptions("ZLIB", **settings))


WHOLE = (GOLDEN / "records").read_bytes()  # records at 0, 21, 37 and 1053


@pytest.mark.parametrize(
    "data, result, text",
    [
        (WHOLE[:12], [], "truncated record at 0"),
        (WHOLE[:14], [], "truncated record at 0"),
        (WHOLE[:20], [], "truncated record at 0"),
        (WHOLE[:1052], [5, 0], "truncated record at 37"),
        (b"\x06" + WHOLE[1:], [], "corrupted record at 0"),
        (WHOLE[:30] + b"\0" + WHOLE[31:], [5], "corrupted record at 21"),
        (WHOLE[:13] + b"\0" + WHOLE[14:], [], "corrupted record at 12"),
        (WHOLE[:36] + b"\0" + WHOLE[37:], [5], "corrupted record at 33"),
        (b"garbage garbage garbage", [], "corrupted record at 0"),
    ],
)
def test_damaged_files(data, result, text, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(data)
    assert damaged(path) == (result, text)


@pytest.mark.parametrize("size, count", [(0, 0), (5, 0), (11, 0), (25, 1)])
def test_truncated_header_is_no_damage(size, count, tmp_path):
    """As in TensorFlow, this is no damage: a writer may be active."""
    (tmp_path / "file").write_bytes(WHOLE[:size])
    with RecordReader(tmp_path / "file") as records:
        assert list(records) == RECORDS[:count]
        assert records.trailing == size - 21 * count


@pytest.mark.parametrize("kind", ["GZIP", "ZLIB"])
def test_damaged_compressed_files(kind, tmp_path):
    path = tmp_path / "file"
    write(path, [*RECORDS, random.Random(0).randbytes(3000)], kind)
    whole = path.read_bytes()
    inflate = "inflate() failed with error -3: "
    for data, result, text in (
        (whole[:-300], [5, 0, 1000, 1280], "truncated record at 2349"),
        (whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:], [], inflate),
        (WHOLE, [], inflate + "incorrect header check"),
        (b"garbage garbage garbage", [], inflate + "incorrect header check"),
    ):
        path.write_bytes(data)
        actual = damaged(path, kind)
        assert actual[0] == result and actual[1].startswith(text)
    for data in (b"", whole[:5]):
        path.write_bytes(data)
        assert read(path, kind) == []
    path.write_bytes(whole + b"what follows is left alone")
    assert len(read(path, kind)) == 5


@pytest.mark.parametrize("length", [2000, 1 << 33, 1 << 40, 1 << 63, (1 << 64) - 1])
@pytest.mark.parametrize("kind", ["", "ZLIB"])
def test_length_beyond_file_is_data_loss(length, kind, tmp_path):
    """TensorFlow crashes if out of memory."""
    stored = struct.pack("<Q", length)
    data = stored + struct.pack("<I", mask(crc32c(stored))) + b"abcd" * 10
    path = tmp_path / "file"
    path.write_bytes(zlib.compress(data) if kind else data)
    tracemalloc.start()
    try:
        assert damaged(path, kind) == ([], "truncated record at 0")
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_memory_is_bounded(tmp_path):
    write(tmp_path / "file", [b"x" * 1024] * 20000, "GZIP")
    tracemalloc.start()
    try:
        with RecordReader(tmp_path / "file", "GZIP") as records:
            assert sum(map(len, records)) == 20000 * 1024
        assert tracemalloc.get_traced_memory()[1] < 2 << 20
    finally:
        tracemalloc.stop()


def test_records_exceeding_read_buffer(tmp_path):
    records = [bytes([i]) * size for i, size in enumerate((1 << 18, 3 << 20, 5, (1 << 18) - 16))]
    for kind in ("", "GZIP"):
        write(tmp_path / "file", records, kind)
        assert read(tmp_path / "file", kind) == records


def test_every_record_length(tmp_path):
    records = [b"x" * i for i in range(5000)]
    write(tmp_path / "file", records)
    assert read(tmp_path / "file") == records


def test_flush(tmp_path):
    for kind in ("", "ZLIB", "GZIP"):
        path = tmp_path / f"file{kind}"
        with tf.python_io.TFRecordWriter(str(path), kind) as writer:
            writer.write(b"x" * 100)
            assert path.stat().st_size < 20
            writer.flush()
            assert read(path, kind) == [b"x" * 100]
            writer.write(b"y")
        assert read(path, kind) == [b"x" * 100, b"y"]


@pytest.mark.parametrize("record, kind", [("text", "str"), (5, "int"), (bytearray(3), "bytearray")])
def test_invalid_record_types(record, kind, tmp_path):
    with tf.python_io.TFRecordWriter(str(tmp_path / "file")) as writer:
        with pytest.raises(TypeError, match=f"^expected bytes, {kind} found$"):
            writer.write(record)
        writer.write(None)
    assert read(tmp_path / "file") == [b""]


def test_invalid_paths(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    for path, kind, text in (
        (tmp_path / "none" / "x", tf.errors.NotFoundError, "No such file or directory"),
        (tmp_path, tf.errors.FailedPreconditionError, "Is a directory"),
        (tmp_path / "file" / "x", tf.errors.FailedPreconditionError, "Not a directory"),
    ):
        for use in (tf.python_io.TFRecordWriter, lambda p: next(tf.io.tf_record_iterator(p))):
            with pytest.raises(kind) as caught:
                use(str(path))
            assert caught.value.message == f"{path}; {text}"


def run(program, *arguments):
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )


@pytest.mark.parametrize("kind", ["", "GZIP"])
def test_unclosed_writer_flushes(kind, tmp_path):
    tf.python_io.TFRecordWriter(str(tmp_path / "file"), kind).write(b"x")
    gc.collect()
    assert read(tmp_path / "file", kind) == [b"x"]
    program = """
import sys
import tfmini as tf
writer = tf.python_io.TFRecordWriter(*sys.argv[1:])
writer.write(b"y")
"""
    process = run(program, tmp_path / "file", kind)
    assert (process.returncode, process.stderr) == (0, "")
    assert read(tmp_path / "file", kind) == [b"y"]


def test_unwritable_directory(tmp_path):
    """By a user without read permission for Python's own files or the parent folders: lazily loaded modules are loaded
    before."""
    program = """
import os, sys
import tfmini as tf
folder, refused = sys.argv[1], tf.errors.PermissionDeniedError
writers = tf.python_io.TFRecordWriter, tf.summary.FileWriter
for number, use in enumerate(writers):
    use(f"{folder}/{number}").close()
os.chmod(folder, 0o555)
os.chdir(folder)
if os.getuid() == 0:
    os.setuid(65534)
for use in writers:
    try:
        use("file")
    except refused as error:
        print(error.message)
"""
    try:
        process = run(program, tmp_path)
        assert process.stdout == "file; Permission denied\n" * 2, process.stderr
    finally:
        tmp_path.chmod(0o755)


def test_full_disk(tmp_path):
    """Simulated by a file size limit."""
    program = """
import resource, signal, sys
import tfmini as tf
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
writer = tf.python_io.TFRecordWriter(sys.argv[1])
try:
    for _ in range(10):
        writer.write(b"x" * 50000)
except tf.errors.OutOfRangeError as error:
    print(error.message)
"""
    process = run(program, tmp_path / "file")
    assert process.stdout == f"{tmp_path / 'file'}; File too large\n", process.stderr


def test_threads_do_not_interleave_records(tmp_path):
    with tf.python_io.TFRecordWriter(str(tmp_path / "file")) as writer:
        threads = [
            threading.Thread(target=lambda i=i: [writer.write(bytes([i]) * 99) for _ in range(500)])
            for i in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(read(tmp_path / "file")) == [
        bytes([i]) * 99 for i in range(4) for _ in range(500)
    ]


@pytest.mark.damage
@pytest.mark.parametrize("compression, name", FILES)
def test_random_damage_is_detected(compression, name, tmp_path):
    """Files with changed bytes or truncated: an error of tf.errors, or complete records."""
    path, lost = tmp_path / "file", 0
    for _ in damaged_files(path, (GOLDEN / name).read_bytes()):
        try:
            result = read(path, compression)
        except tf.errors.DataLossError as error:
            lost += 1
            assert os.fspath(path) in error.message
        else:
            assert result == RECORDS[: len(result)]
    assert lost


def test_iterator_continues_with_appended_records(tmp_path):
    """TensorBoard tails a running program's event files this way."""
    path = tmp_path / "file"
    with tf.io.TFRecordWriter(str(path)) as writer:
        records = tf.io.tf_record_iterator(str(path))
        assert next(records, None) is None
        for record in (b"one", b"", b"three" * 100_000):
            writer.write(record)
            writer.flush()
            assert next(records) == record and next(records, None) is None
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    records = tf.io.tf_record_iterator(str(path))
    assert [next(records), next(records)] == [b"one", b""]
    with pytest.raises(tf.errors.DataLossError, match="truncated record at 35"):
        next(records)
    path.write_bytes(whole)
    assert list(records) == [b"three" * 100_000] and list(records) == []
    records.close()
    assert next(records, None) is None


def test_compressed_iterator_ends_once(tmp_path):
    path = str(tmp_path / "file")
    with tf.io.TFRecordWriter(path, "GZIP") as writer:
        writer.write(b"one")
    records = tf.io.tf_record_iterator(path, "GZIP")
    assert list(records) == [b"one"] and list(records) == []
