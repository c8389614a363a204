"""Event files: reading TensorFlow's; names, truncation and damage."""

import random
import re
import resource
import socket
import struct
from pathlib import Path

import pytest

import tfmini as tf
from tests.formats.damage import COUNT, damaged, damaged_files
from tfmini._src.formats.crc32c import crc32c, mask
from tfmini._src.formats.events import EventFile
from tfmini._src.formats.record_reader_writer import RecordReader

GOLDEN = Path(__file__).parents[1] / "golden" / "records" / "events"


def test_tensorflow_events_are_read():
    events = list(tf.train.summary_iterator(str(GOLDEN)))
    assert events[0].file_version == "brain.Event:2"
    kinds = [event.WhichOneof("what") for event in events]
    assert kinds == [
        *("file_version", "graph_def", "meta_graph_def", *["summary"] * 5),
        *("session_log", "tagged_run_metadata", None),
    ]
    assert [e.summary.value[0].simple_value for e in events[4:7]] == [
        1.0,
        0.5,
        pytest.approx(1 / 3),
    ]
    assert [event.step for event in events] == [0, 0, 0, 0, 0, 1, 2, 2, 3, 7, 9]


def test_file_names_are_unique(tmp_path):
    """A second writer in the same second gets its own file, where TensorFlow's would write to the first one's."""
    files = [EventFile(str(tmp_path / "events"), ".v2") for _ in range(3)]
    for file in files:
        file.open()
        file.flush()
    names = [path.name for path in tmp_path.iterdir()]
    assert len(names) == 3
    pattern = rf"events\.out\.tfevents\.(\d{{10}})\.{re.escape(socket.gethostname())}\.v2"
    assert all(re.fullmatch(pattern, name) for name in names)
    for file in files:
        file.write(tf.Event(step=3).SerializeToString())
        file.close()
        file.close()
    for path in tmp_path.iterdir():
        seconds = float(path.name.split(".")[3])
        assert list(tf.train.summary_iterator(str(path))) == [
            tf.Event(wall_time=seconds, file_version="brain.Event:2"),
            tf.Event(step=3),
        ]


def test_links_are_not_followed(tmp_path, monkeypatch):
    """A file's name contains its time and host, which others can predict."""
    directory = tmp_path / "log"
    directory.mkdir()
    monkeypatch.setattr("time.time", lambda: 1.7e9)
    name = f"events.out.tfevents.{{}}.{socket.gethostname()}"
    (directory / name.format(1700000000)).symlink_to(tmp_path / "elsewhere")
    file = EventFile(str(directory / "events"))
    file.open()
    file.close()
    assert not (tmp_path / "elsewhere").exists()
    assert (directory / name.format(1700000001)).stat().st_size


def test_full_disk_leaves_no_files(tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    file = EventFile(str(tmp_path / "events"))
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, limits[1]))
        for _ in range(3):
            with pytest.raises(tf.errors.OutOfRangeError, match="File too large"):
                file.write(b"")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not list(tmp_path.iterdir())
    file.write(tf.Event(step=3).SerializeToString())
    file.close()
    (path,) = tmp_path.iterdir()
    assert [event.step for event in tf.train.summary_iterator(str(path))] == [0, 3]


def test_file_is_created_by_first_event(tmp_path):
    file = EventFile(str(tmp_path / "events"))
    file.flush()
    file.close()
    assert not list(tmp_path.iterdir())


def test_invalid_paths(tmp_path):
    for path, kind, text in (
        (tmp_path / "none", tf.errors.NotFoundError, "none; No such file or directory"),
        (tmp_path, tf.errors.FailedPreconditionError, "; Is a directory"),
    ):
        with pytest.raises(kind, match=text):
            next(tf.train.summary_iterator(str(path)))
    (tmp_path / "garbage").write_bytes(b"garbage garbage garbage")
    with pytest.raises(tf.errors.DataLossError, match="^corrupted record at 0\nof .*/garbage$"):
        next(tf.train.summary_iterator(str(tmp_path / "garbage")))


def test_records_that_are_no_events(tmp_path):
    with tf.io.TFRecordWriter(str(tmp_path / "records")) as writer:
        writer.write(tf.Event().SerializeToString())
        writer.write(b"\xff\xff\xffnot an event")
    events = tf.train.summary_iterator(str(tmp_path / "records"))
    assert next(events) == tf.Event()
    with pytest.raises(tf.errors.DataLossError, match="in record 1 of .*/records$"):
        next(events)


@pytest.mark.damage
def test_random_damage_is_detected(tmp_path):
    path = tmp_path / "events"
    for _ in damaged_files(path, GOLDEN.read_bytes()):
        check_damaged(path)


@pytest.mark.damage
def test_random_damage_in_event_payload(tmp_path):
    """Its checksum is right."""
    with RecordReader(GOLDEN) as reader:
        records = list(reader)
    path = tmp_path / "events"
    chosen = random.Random(0)
    with open(path, "wb") as file:
        for index in range(COUNT):
            event = damaged(records[index % len(records)], chosen)
            header = struct.pack("<Q", len(event))
            parts = [header, struct.pack("<I", mask(crc32c(header)))]
            parts += [event, struct.pack("<I", mask(crc32c(event)))]
            file.seek(0)
            file.write(b"".join(parts))
            file.truncate()
            file.flush()
            check_damaged(path)


def check_damaged(path):
    try:
        list(tf.train.summary_iterator(str(path)))
    except tf.errors.DataLossError as error:
        assert str(path) in error.message
