"""Paths that begin with file://, wherever a program may give one; nothing is written beside what they name."""

import gzip
import os

import pytest

import tfmini as tf
from tfmini._src.formats.schemes import local_path


@pytest.fixture
def uri(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield f"file://{tmp_path}/there"
    assert os.listdir(tmp_path) == ["there"]


@pytest.mark.parametrize("shards", [False, True])
def test_checkpoints(uri, session, shards):
    v = tf.Variable([1.0, 2.0], name="v")
    session.run(v.initializer)
    os.mkdir(local_path(uri))
    saver = tf.train.Saver(max_to_keep=1, sharded=shards)
    assert saver.save(session, f"{uri}/model", 1) == f"{uri}/model-1"
    path = saver.save(session, f"{uri}/model", 2)
    assert saver.last_checkpoints == [path]
    names = ["model-2.data-00000-of-00001", "model-2.index", "model-2.meta"]
    assert sorted(os.listdir(local_path(uri))) == ["checkpoint", *names]
    with open(local_path(f"{uri}/checkpoint")) as file:
        assert file.readline() == 'model_checkpoint_path: "model-2"\n'
    assert tf.train.latest_checkpoint(uri) == path
    assert tf.train.latest_checkpoint(local_path(uri)) == local_path(path)
    assert tf.train.checkpoint_exists(path)
    assert tf.train.list_variables(uri) == [("v", [2])]
    session.run(v.assign([0.0, 0.0]))
    saver.restore(session, path)
    assert session.run(v).tolist() == [1.0, 2.0]
    with tf.Graph().as_default(), tf.Session() as other:
        tf.train.import_meta_graph(path + ".meta").restore(other, path)
        assert other.run("v:0").tolist() == [1.0, 2.0]
    tf.train.remove_checkpoint(path)
    assert os.listdir(local_path(uri)) == ["checkpoint"]


def test_saved_models_and_graphs(uri, session):
    x = tf.placeholder(tf.float32, name="x")
    v = tf.Variable(2.0)
    session.run(v.initializer)
    tf.saved_model.simple_save(session, f"{uri}/model", {"x": x}, {"y": x * v})
    assert tf.saved_model.loader.maybe_saved_model_directory(f"{uri}/model")
    with tf.Graph().as_default(), tf.Session() as other:
        tf.saved_model.load(other, ["serve"], f"{uri}/model")
        assert other.run("mul:0", {"x:0": 3.0}) == 6.0
    tf.train.write_graph(session.graph, uri, "graph.pb")
    assert sorted(os.listdir(local_path(uri))) == ["graph.pb", "model"]


def test_events_and_records(uri, session):
    tf.summary.FileWriter(uri, session.graph).close()
    (events,) = tf.gfile.Glob(f"{uri}/events.*")
    assert events.startswith(uri) and len(list(tf.train.summary_iterator(events))) > 0
    with tf.python_io.TFRecordWriter(f"{uri}/records") as writer:
        writer.write(b"one")
    assert list(tf.python_io.tf_record_iterator(f"{uri}/records")) == [b"one"]


def test_ops_on_files(uri, session):
    session.run(tf.write_file(f"{uri}/text", "a\nb"))
    assert session.run(tf.read_file(f"{uri}/text")) == b"a\nb"
    assert session.run(tf.matching_files(f"{uri}/t*")).tolist() == [f"{uri}/text".encode()]
    table = tf.contrib.lookup.index_table_from_file(f"{uri}/text")
    tf.tables_initializer().run(session=session)
    assert session.run(table.lookup(tf.constant(["b", "c"]))).tolist() == [1, -1]


def test_patterns(uri):
    os.mkdir(local_path(uri))
    with open(local_path(f"{uri}/a.csv"), "w"):
        pass
    assert tf.io.gfile.glob(f"{uri}/*.csv") == [f"{uri}/a.csv"]
    assert tf.io.gfile.glob([f"{uri}/a.csv", f"{uri}/b.csv"]) == [f"{uri}/a.csv"]
    with pytest.raises(tf.errors.NotFoundError, match=f"^{uri}/none; No such file or directory"):
        tf.io.gfile.glob(f"{uri}/none/a.csv")


def test_compressed_rows(uri, session):
    os.mkdir(local_path(uri))
    with gzip.open(local_path(f"{uri}/a.csv.gz"), "wt") as out:
        out.write("n,s\n1,a\n2,b\n")
    rows = tf.data.experimental.make_csv_dataset(
        f"{uri}/*.gz", 2, shuffle=False, compression_type="GZIP"
    )
    found = session.run(rows.make_one_shot_iterator().get_next())
    assert {name: column.tolist() for name, column in found.items()} == {
        "n": [1, 2],
        "s": [b"a", b"b"],
    }


def test_other_schemes_are_refused(session):
    for path in ("gs://bucket/model", b"s3://bucket/model"):
        with pytest.raises(tf.errors.UnimplementedError, match="File system scheme '(gs|s3)' not"):
            local_path(path)
    with pytest.raises(
        tf.errors.UnimplementedError, match=r"'gs' not implemented \(file: 'gs://bucket/file'\)"
    ):
        session.run(tf.read_file("gs://bucket/file"))
    assert local_path("no/scheme") == "no/scheme" and local_path(b"a:/b") == b"a:/b"
