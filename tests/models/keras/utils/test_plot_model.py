import shutil

import pytest

import tfmini as tf

layers = tf.keras.layers


@pytest.fixture
def model():
    tf.keras.backend.clear_session()
    inner = tf.keras.Sequential([layers.Dense(4, input_shape=(3,), name="first")], name="inner")
    x = tf.keras.Input((5, 3), name="x")
    y = layers.TimeDistributed(inner, name="each")(x)
    return tf.keras.Model(x, layers.Flatten(name="flat")(y))


def _text(model, **kwargs):
    text = str(tf.keras.utils.model_to_dot(model, **kwargs))
    for layer in model.layers:
        text = text.replace(str(id(layer)), layer.name)
    return text.splitlines()


def test_boxes_and_arrows(model):
    assert _text(model) == [
        "digraph G {",
        'rankdir="TB";',
        "concentrate=true;",
        "dpi=96;",
        "node [shape=record];",
        'x [label="x: InputLayer"];',
        'each [label="each(inner): TimeDistributed(Sequential)"];',
        'flat [label="flat: Flatten"];',
        "x -> each;",
        "each -> flat;",
        "}",
    ]


def test_shapes_without_names(model):
    label = r"Flatten\n|{input:|output:}|{{(?, 5, 4)}|{(?, 20)}}"
    assert f'flat [label="{label}"];' in _text(model, show_shapes=True, show_layer_names=False)


def test_models_within(model):
    lines = _text(model, expand_nested=True)
    assert 'subgraph "cluster_inner" {' in lines
    first = str(id(model.layers[1].layer.layers[0]))
    assert f'{first} [label="first: Dense"];' in lines
    assert f"{first} -> flat;" in lines


def test_files(model, tmp_path, monkeypatch):
    tf.keras.utils.plot_model(model, str(tmp_path / "m.dot"))
    assert (tmp_path / "m.dot").read_text().startswith("digraph G {")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ImportError, match="You must install pydot and graphviz"):
        tf.keras.utils.plot_model(model, str(tmp_path / "m.png"))
