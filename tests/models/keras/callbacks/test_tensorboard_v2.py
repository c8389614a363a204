"""`tf.compat.v2.keras.callbacks.TensorBoard`: TensorFlow 1.15.5's events."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode
from tfmini._src.train.summary_v2.write_summary import write

TensorBoard = tf.compat.v2.keras.callbacks.TensorBoard
X, Y = np.ones((6, 2), np.float32), np.zeros((6, 1), np.float32)


def _events(directory):
    [path] = directory.glob("events*")
    return [
        (event.step, value.tag, value.WhichOneof("value"))
        for event in tf.train.summary_iterator(str(path))
        for value in event.summary.value
    ]


def _fit(board):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
    model.compile("sgd", "mse")
    model.fit(X, Y, 2, epochs=2, validation_data=(X, Y), verbose=0, callbacks=[board])


def _epoch(step):
    return [
        (step, "epoch_loss", "simple_value"),
        (step, "d/kernel_0", "histo"),
        (step, "d/kernel_0/image/0", "image"),
        (step, "d/bias_0", "histo"),
    ]


def test_eager_mode(tmp_path):
    with tf.Graph().as_default(), eager_mode():
        _fit(TensorBoard(str(tmp_path), 1, write_images=True, update_freq=2))
    assert _events(tmp_path / "train") == [
        (0, "keras", "tensor"),
        (0, "batch_loss", "simple_value"),
        (2, "batch_2", "tensor"),
        (2, "batch_loss", "simple_value"),
        *_epoch(0),
        (3, "batch_loss", "simple_value"),
        (5, "batch_loss", "simple_value"),
        *_epoch(1),
    ]
    assert _events(tmp_path / "validation") == [
        (0, "epoch_loss", "simple_value"),
        (1, "epoch_loss", "simple_value"),
    ]


def test_graph_mode(tmp_path):
    with tf.Graph().as_default():
        _fit(TensorBoard(str(tmp_path), 1, write_images=True))
    assert _events(tmp_path / "train") == [(0, "keras", "tensor"), *_epoch(0), *_epoch(1)]


def test_layer_summaries_are_written(tmp_path):
    class Noted(tf.keras.layers.Layer):
        def call(self, x):
            write("noted", tf.reduce_sum(x))
            return x

    with tf.Graph().as_default(), eager_mode():
        model = tf.keras.Sequential([Noted(input_shape=(2,))])
        model.compile("sgd", "mse")
        board = TensorBoard(str(tmp_path), update_freq=1, profile_batch=0)
        model.fit(X, X, 2, validation_data=(X, X), verbose=0, callbacks=[board])
    recorded = [event for event in _events(tmp_path / "train") if event[1] == "noted"]
    assert recorded == [(n, "noted", "tensor") for n in range(3)]
    assert len(_events(tmp_path / "validation")) == 4


def test_unknown_embedding_layers_are_refused(tmp_path):
    with tf.Graph().as_default():
        model = tf.keras.Sequential([tf.keras.layers.Embedding(3, 2, input_length=1, name="e")])
        model.compile("sgd", "mse")
        with pytest.raises(ValueError, match="^Unrecognized `Embedding` layer names passed"):
            TensorBoard(str(tmp_path), embeddings_freq=1, embeddings_metadata={"f": "a"}).set_model(
                model
            )
        board = TensorBoard(
            str(tmp_path), embeddings_freq=1, embeddings_metadata={"e": "names.tsv"}
        )
        model.fit(np.zeros((2, 1)), np.zeros((2, 1, 2)), verbose=0, callbacks=[board])
    text = (tmp_path / "projector_config.pbtxt").read_text()
    assert text == (
        'embeddings {\n  tensor_name: "e/embeddings:0"\n  metadata_path: "names.tsv"\n}\n'
    )
    assert (tmp_path / "train" / "keras_embedding.ckpt-0.index").exists()


def test_embedding_metadata_survives_second_training(tmp_path):
    names = {"e": "names.tsv"}
    with tf.Graph().as_default():
        x = tf.keras.Input((1,))
        model = tf.keras.Model(x, [tf.keras.layers.Embedding(3, 2, name=n)(x) for n in "ef"])
        model.compile("sgd", "mse")
        board = TensorBoard(str(tmp_path), embeddings_freq=2, embeddings_metadata=names)
        other = TensorBoard(str(tmp_path / "b"), embeddings_freq=2, embeddings_metadata="all.tsv")
        config = tmp_path / "projector_config.pbtxt"
        for epochs in (3, 2):
            model.fit(np.zeros((2, 1)), [np.zeros((2, 1, 2))] * 2, 2, epochs, 0, [board, other])
            parts = config.read_text().split("embeddings {\n")
            assert parts == [
                "",
                '  tensor_name: "e/embeddings:0"\n  metadata_path: "names.tsv"\n}\n',
                '  tensor_name: "f/embeddings:0"\n}\n',
            ]
            config.unlink()
    assert names == {"e": "names.tsv"}
    assert (tmp_path / "b" / "projector_config.pbtxt").read_text().count('"all.tsv"') == 2
    retained = {path.name for path in (tmp_path / "train").glob("keras_embedding.ckpt*.index")}
    assert retained == {"keras_embedding.ckpt-0.index", "keras_embedding.ckpt-2.index"}


def test_first_version_arguments_are_ignored(caplog):
    TensorBoard(write_grads=True, batch_size=32)
    assert "`batch_size` is no longer needed" in caplog.text
    with pytest.raises(
        ValueError, match=r"^Unrecognized arguments in `TensorBoard` Callback: {'nothing'}$"
    ):
        TensorBoard(nothing=1)
