import shutil
import sys
import types

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


def test_dot_nodes_and_edges(model):
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


def test_nested_models_are_expanded(model):
    lines = _text(model, expand_nested=True)
    assert 'subgraph "cluster_inner" {' in lines
    first = str(id(model.layers[1].layer.layers[0]))
    assert f'{first} [label="first: Dense"];' in lines
    assert f"{first} -> flat;" in lines


def test_settings_and_clusters(model):
    lines = _text(model, rankdir="LR", dpi=48)
    assert lines[1:4] == ['rankdir="LR";', "concentrate=true;", "dpi=48;"]
    name = model.name
    assert _text(model, subgraph=True)[:4] == [
        f'subgraph "cluster_{name}" {{',
        'style="dashed";',
        f'label="{name}";',
        'labeljust="l";',
    ]


def test_shared_layers_with_several_inputs():
    tf.keras.backend.clear_session()
    one, two = (tf.keras.Input((2,), name=name) for name in ("one", "two"))
    dense = layers.Dense(2, name="dense")
    both = layers.Add(name="both")([dense(one), dense(two)])
    inner_input = tf.keras.Input((2,), name="inner_input")
    inner = tf.keras.Model(inner_input, layers.ReLU(name="relu")(inner_input), name="inner")
    model = tf.keras.Model([one, two], inner(both))
    assert _text(model)[-5:-1] == [
        "one -> dense;",
        "two -> dense;",
        "dense -> both;",
        "both -> inner;",
    ]
    shapes = "[(?, 2), (?, 2)]"
    row = f'both [label="both: Add\\n|{{input:|output:}}|{{{{{shapes}}}|{{(?, 2)}}}}"];'
    assert row in _text(model, show_shapes=True)
    first, last = (str(id(layer)) for layer in inner.layers)
    lines = _text(model, expand_nested=True, show_layer_names=False)
    assert f'{first} [label="InputLayer"];' in lines
    assert f"{first} -> {last};" in lines
    assert f"both -> {first};" in lines
    assert not any(line.startswith("inner [") for line in lines)


def test_opaque_model_is_one_node(tmp_path):
    class Own(tf.keras.Model):
        def call(self, x):
            return x

    own = Own(name="own")
    assert f'{id(own)} [label="own"];' in _text(own)
    dot = tf.keras.utils.model_to_dot(own)
    assert dot.create(format="dot") == dot.to_string().encode()
    assert dot.write(tmp_path / "own.txt")
    assert (tmp_path / "own.txt").read_text() == str(dot)


def test_image_files(model, tmp_path, monkeypatch):
    class Image:
        def __init__(self, filename):
            raise ValueError("Cannot embed the 'dot' image format")

    display = types.ModuleType("IPython.display")
    display.Image = Image
    shell = types.ModuleType("IPython")
    shell.display = display
    monkeypatch.setitem(sys.modules, "IPython", shell)
    assert tf.keras.utils.plot_model(model, str(tmp_path / "m.dot")) is None
    assert (tmp_path / "m.dot").read_text().startswith("digraph G {")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ImportError, match="You must install pydot and graphviz"):
        tf.keras.utils.plot_model(model, str(tmp_path / "m.png"))
