import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

layers = tf.keras.layers


def _model():
    model = tf.keras.Sequential(
        [
            layers.Embedding(20, 3, input_length=4, name="words"),
            layers.Flatten(),
            layers.Dense(1, name="out"),
        ]
    )
    model.compile("sgd", "mse")
    return model


X, Y = np.random.RandomState(0).randint(0, 20, (32, 4)), np.ones((32, 1))


def _events(directory):
    (path,) = directory.glob("events*")
    return list(tf.train.summary_iterator(str(path)))


def _values(events):
    return [(v.tag, e.step, v) for e in events for v in e.summary.value]


class Renamed(tf.keras.callbacks.TensorBoard):
    """Writes its metrics under other names, and a custom one, as programs do."""

    def _write_custom_summaries(self, step, logs=None):
        renamed = {name.removeprefix("old_"): value for name, value in logs.items()}
        super()._write_custom_summaries(step, renamed)

    def on_epoch_end(self, epoch, logs=None):
        super().on_epoch_end(epoch, {"old_loss": logs["loss"]})
        self._write_custom_summaries(epoch, {"batches": self._total_batches_seen})


def test_scalars_of_a_subclass(tmp_path):
    _model().fit(X, Y, batch_size=8, epochs=1, verbose=0, callbacks=[Renamed(str(tmp_path))])
    values = [(tag, step) for tag, step, _ in _values(_events(tmp_path))]
    assert values == [("epoch_old_loss", 0), ("batches", 0)]


def test_epochs_graph_and_traced_batch(tmp_path):
    board = tf.keras.callbacks.TensorBoard(str(tmp_path))
    history = _model().fit(X, Y, batch_size=8, epochs=2, verbose=0, callbacks=[board])
    events = _events(tmp_path)
    values = _values(events)
    assert [row[:2] for row in values] == [("epoch_loss", 0), ("epoch_loss", 1)]
    np.testing.assert_allclose([v.simple_value for *_, v in values], history.history["loss"])
    assert any(e.graph_def for e in events)
    (traced,) = [e.tagged_run_metadata for e in events if e.HasField("tagged_run_metadata")]
    assert traced.tag == "batch_2"
    assert tf.RunMetadata.FromString(traced.run_metadata).step_stats.dev_stats


def test_update_freq_in_batches_and_examples(tmp_path):
    board = tf.keras.callbacks.TensorBoard(
        str(tmp_path), update_freq=16, write_graph=False, profile_batch=0
    )
    _model().fit(X, Y, batch_size=8, verbose=0, callbacks=[board])
    events = _events(tmp_path)
    result = [row[:2] for row in _values(events)]
    assert result == [("batch_loss", 1), ("batch_loss", 3), ("epoch_loss", 32)]
    assert not any(e.graph_def for e in events)


def test_histograms_images_and_gradients(tmp_path):
    board = tf.keras.callbacks.TensorBoard(
        str(tmp_path), histogram_freq=2, write_grads=True, write_images=True, profile_batch=0
    )
    model = _model()
    model.fit(X, Y, epochs=3, verbose=0, validation_data=(X, Y), callbacks=[board])
    rows = [row for row in _values(_events(tmp_path)) if not row[0].startswith("epoch_")]
    assert {step for _, step, _ in rows} == {
        0,
        1,
    }  # validation on one batch, after epochs 0 and 2
    assert {tag for tag, _, v in rows if v.HasField("histo")} == {
        *("words/embeddings_0", "words/embeddings_0_grad", "words_out", "flatten_out"),
        *("out/kernel_0", "out/kernel_0_grad", "out/bias_0", "out/bias_0_grad", "out_out"),
    }
    images = {tag: v.image for tag, _, v in rows if v.HasField("image")}
    assert {tag: (p.height, p.width) for tag, p in images.items()} == {
        "words/embeddings_0_1/image/0": (3, 20),
        "out/kernel_0_1/image/0": (12, 1),
    }
    assert model.test_function.fetches == []


def test_embeddings(tmp_path):
    board = tf.keras.callbacks.TensorBoard(
        str(tmp_path),
        embeddings_freq=1,
        embeddings_data=X[:10],
        embeddings_metadata="names.tsv",
        batch_size=4,
    )
    model = _model()
    model.fit(X, Y, verbose=0, callbacks=[board])
    reader = tf.train.load_checkpoint(str(tmp_path / "keras_embedding.ckpt-0"))
    table = model.get_layer("words").get_weights()[0]
    np.testing.assert_allclose(
        reader.get_tensor("words_embedding"), table[X[:10]].reshape(10, 12), rtol=1e-6
    )
    settings = (tmp_path / "projector_config.pbtxt").read_text()
    assert 'tensor_name: "words_embedding:0"' in settings
    assert 'metadata_path: "names.tsv"' in settings


def test_embeddings_of_selected_layers(tmp_path):
    inputs = [tf.keras.Input((2,), name=name) for name in ("b", "a")]
    outputs = [layers.Embedding(20, 3, name="of_" + x.op.name)(x) for x in inputs]
    outputs = [layers.Embedding(20, 1, name="other")(inputs[1]), *outputs]
    model = tf.keras.Model(inputs, outputs)
    model.compile("sgd", "mse")
    data = {"a": X[:3, :2], "b": X[:3, 2:]}
    board = tf.keras.callbacks.TensorBoard(
        str(tmp_path),
        embeddings_freq=2,
        embeddings_layer_names=["of_a", "of_b"],
        embeddings_metadata={"of_b": "names.tsv"},
        embeddings_data=data,
        batch_size=2,
    )
    targets = [np.zeros([3, 2, n]) for n in (1, 3, 3)]
    model.fit(data, targets, epochs=3, verbose=0, callbacks=[board])
    reader = tf.train.load_checkpoint(str(tmp_path / "keras_embedding.ckpt-2"))
    for name in "ab":
        table = model.get_layer("of_" + name).get_weights()[0]
        result = reader.get_tensor(f"of_{name}_embedding")
        np.testing.assert_allclose(result, table[data[name]].reshape(3, 6), rtol=1e-6)
    assert (tmp_path / "projector_config.pbtxt").read_text() == (
        'embeddings {\n  tensor_name: "of_a_embedding:0"\n}\n'
        'embeddings {\n  tensor_name: "of_b_embedding:0"\n  metadata_path: "names.tsv"\n}\n'
    )
    assert not (tmp_path / "keras_embedding.ckpt-1.index").exists()
