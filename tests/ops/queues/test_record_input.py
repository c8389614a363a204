"""tf.contrib.framework.RecordInput."""

import pytest

import tfmini as tf


def write(path, records):
    with tf.python_io.TFRecordWriter(str(path)) as writer:
        for record in records:
            writer.write(record)


@pytest.mark.parametrize("parallelism", [1, 3])
def test_epoch_reads_every_record_once(tmp_path, parallelism):
    every = [b"%d %d" % (file, index) for file in range(4) for index in range(20)]
    for file in range(4):
        write(tmp_path / f"{file}.tfrecord", every[file * 20 : file * 20 + 20])
    make = tf.contrib.framework.RecordInput
    batch = make(str(tmp_path / "*.tfrecord"), 80, 50, parallelism, 0.5, seed=3).get_yield_op()
    with tf.Session() as session:
        epochs = [session.run(batch).tolist() for _ in range(3)]
    assert [sorted(epoch) for epoch in epochs] == [sorted(every)] * 3
    assert epochs[0] != epochs[1] != every
    with tf.Session() as session:
        assert session.run(batch).tolist() == epochs[0]


def test_damaged_record(tmp_path):
    path = tmp_path / "records"
    write(path, [b"one", b"two"])
    path.write_bytes(path.read_bytes()[:-6] + b"xxxxxx")
    batch = tf.contrib.framework.RecordInput(str(path), 1, 2).get_yield_op()
    with tf.Session() as session:
        for _ in range(2):
            with pytest.raises(tf.errors.DataLossError, match=r"^corrupted record at 31\n"):
                session.run(batch)


def test_error_outlives_the_damaged_file(tmp_path):
    path = tmp_path / "records"
    path.write_bytes(b"no record, but more bytes than a header has")
    batch = tf.contrib.framework.RecordInput(str(path), 1, 2).get_yield_op()
    with tf.Session() as session:
        for _ in range(2):
            with pytest.raises(tf.errors.DataLossError, match="record at 0"):
                session.run(batch)
            write(path, [b"a", b"b"])


@pytest.mark.parametrize("shift, first", [(0.0, 0), (0.5, 2), (0.75, 3)])
def test_shift_ratio_rotates_files(tmp_path, shift, first):
    for file in range(4):
        write(tmp_path / str(file), [b"%d" % file])
    pattern = str(tmp_path / "?")

    def epoch(shift):
        make = tf.contrib.framework.RecordInput
        batch = make(pattern, 4, 1, parallelism=1, shift_ratio=shift, seed=3).get_yield_op()
        with tf.Session() as session:
            return list(session.run(batch))

    plain = epoch(1.0)  # no shift
    assert epoch(shift) == plain[first:] + plain[:first]


def test_no_records(tmp_path):
    write(tmp_path / "none", [])
    batch = tf.contrib.framework.RecordInput(str(tmp_path / "none")).get_yield_op()
    with tf.Session() as session, pytest.raises(tf.errors.OutOfRangeError, match="no records"):
        session.run(batch)


def test_batches(tmp_path):
    write(tmp_path / "records", [b"a", b"a"])
    first, second = tf.contrib.framework.RecordInput(
        str(tmp_path / "records"), 2, batches=2, name="records"
    ).get_yield_op()
    assert len(first) == len(second) == 2 and first[0].shape == ()
    with tf.Session() as session:
        assert session.run(first) == [b"a", b"a"]
