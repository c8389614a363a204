"""file:// paths, wherever a program may pass one; no other files are written."""

import gzip
import os

import numpy as np
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


def test_file_ops(uri, session):
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
    result = session.run(rows.make_one_shot_iterator().get_next())
    assert {name: column.tolist() for name, column in result.items()} == {
        "n": [1, 2],
        "s": [b"a", b"b"],
    }


def test_cached_datasets(uri, session):
    os.mkdir(local_path(uri))

    def elements(count):
        dataset = tf.data.Dataset.range(count).cache(f"{uri}/kept")
        following = dataset.make_one_shot_iterator().get_next()
        with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
            while True:
                yield int(session.run(following))

    assert list(elements(3)) == [0, 1, 2]
    assert list(elements(9)) == [0, 1, 2]  # as stored
    names = ["kept.data-00000-of-00001", "kept.index"]
    assert sorted(os.listdir(local_path(uri))) == names


X = np.arange(4, dtype=np.float32).reshape(4, 1)
COLUMNS = [tf.feature_column.numeric_column("x")]


def read():
    return tf.data.Dataset.from_tensors(({"x": X}, 2 * X)).repeat(2)


def regressor(directory, **options):
    optimizer = tf.train.GradientDescentOptimizer(0.01)
    return tf.estimator.LinearRegressor(COLUMNS, directory, optimizer=optimizer, **options)


def test_estimators_and_exports(uri):
    os.mkdir(local_path(uri))
    with open(local_path(f"{uri}/more"), "w") as out:
        out.write("beside")
    spec = tf.feature_column.make_parse_example_spec(COLUMNS)
    receive = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    of = tf.estimator
    extra = {"inner/more": f"{uri}/more"}
    exporters = [
        of.LatestExporter("latest", receive, extra, exports_to_keep=1),
        of.BestExporter("best", receive, exports_to_keep=1),
    ]
    config = of.RunConfig(save_checkpoints_steps=1, keep_checkpoint_max=1)
    estimator = regressor(f"{uri}/first", config=config)
    evaluation = of.EvalSpec(read, exporters=exporters, throttle_secs=0)
    _, paths = of.train_and_evaluate(estimator, of.TrainSpec(read, max_steps=2), evaluation)
    for exporter, path in zip(exporters, paths):
        directory = f"{uri}/first/export/{exporter.name}"
        assert os.path.dirname(path.decode()) == directory
        assert os.listdir(local_path(directory)) == [os.path.basename(path.decode())]
    with open(local_path(f"{paths[0].decode()}/assets.extra/inner/more")) as file:
        assert file.read() == "beside"
    trained = estimator.get_variable_value("linear/linear_model/x/weights")
    for index, source in enumerate((paths[0].decode(), f"{uri}/first")):
        warm = regressor(f"{uri}/warm{index}", warm_start_from=source)
        if source == f"{uri}/first":  # without its own checkpoint it exports that one
            assert os.path.isdir(local_path(warm.export_saved_model(f"{uri}/out", receive)))
        warm.train(lambda: read().map(lambda x, y: (x, 0 * y)).take(1))
        weight = warm.get_variable_value("linear/linear_model/x/weights")
        bias = estimator.get_variable_value("linear/linear_model/bias_weights")
        gradient = 2 * np.sum(X * (X @ trained + bias))
        np.testing.assert_allclose(weight, trained - 0.01 * gradient, rtol=1e-5)
    tf.summary.FileWriterCache.clear()


def test_keras_callbacks_and_models(uri):
    of = tf.keras
    layers = [of.layers.Embedding(3, 2, input_length=1), of.layers.Flatten(), of.layers.Dense(1)]
    model = of.Sequential(layers)
    model.compile(of.optimizers.SGD(0.0), "mse")
    x, y = np.zeros([4, 1], np.int32), np.ones([4, 1], np.float32)
    boards = [
        of.callbacks.TensorBoard(f"{uri}/a", embeddings_freq=1, embeddings_data=x),
        tf.compat.v2.keras.callbacks.TensorBoard(f"{uri}/b", embeddings_freq=1),
    ]
    model.fit(x, y, verbose=0, callbacks=boards)
    for name in "ab":
        assert os.path.isfile(local_path(f"{uri}/{name}/projector_config.pbtxt"))
    estimator = of.estimator.model_to_estimator(model, model_dir=f"{uri}/estimator")
    name = model.input_names[0]
    estimator.train(lambda: tf.data.Dataset.from_tensors(({name: x}, y)))
    np.testing.assert_array_equal(
        estimator.get_variable_value("dense/kernel"), layers[2].get_weights()[0]
    )
    assert "keras_model.ckpt.index" in os.listdir(local_path(f"{uri}/estimator/keras"))
    tf.summary.FileWriterCache.clear()


def test_other_schemes_are_refused(session):
    for path in ("gs://bucket/model", b"s3://bucket/model"):
        with pytest.raises(tf.errors.UnimplementedError, match="File system scheme '(gs|s3)' not"):
            local_path(path)
    with pytest.raises(
        tf.errors.UnimplementedError, match=r"'gs' not implemented \(file: 'gs://bucket/file'\)"
    ):
        session.run(tf.read_file("gs://bucket/file"))
    assert local_path("no/scheme") == "no/scheme" and local_path(b"a:/b") == b"a:/b"
