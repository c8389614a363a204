"""Predictors: TensorFlow's argument errors."""

import numpy as np
import pytest

import tfmini as tf

make = tf.contrib.predictor.from_saved_model


@pytest.fixture
def directory(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None], name="x")
        scale = tf.placeholder_with_default(2.0, [], name="scale")
        v = tf.Variable(1.0, name="v")
        session.run(v.initializer)
        inputs, outputs = {"x": x, "scale": scale}, {"y": tf.add(x * scale, v, name="y")}
        tf.saved_model.simple_save(session, str(tmp_path / "model"), inputs, outputs)
    return str(tmp_path / "model")


def test_predictor_maps_arrays(directory):
    predict = make(directory)
    np.testing.assert_array_equal(predict({"x": [1, 2]})["y"], [3, 5])
    np.testing.assert_array_equal(predict({"x": [1, 2], "scale": 3.0})["y"], [4, 7])
    np.testing.assert_array_equal(predict({"x": [1, 2], "scale": None})["y"], [3, 5])
    assert predict.session.graph is predict.graph
    assert repr(predict) == (
        f"SavedModelPredictor with feed tensors {predict.feed_tensors} and fetch_tensors "
        f"{predict.fetch_tensors}"
    )
    assert sorted(predict.feed_tensors) == ["scale", "x"]


def test_names_replace_signature(directory):
    graph = tf.Graph()
    names = {"input_names": {"a": "x:0"}, "output_names": {"b": "y:0", "c": "v/read:0"}}
    predict = make(directory, graph=graph, config=tf.ConfigProto(), **names)
    assert predict.graph is graph
    assert {key: float(v.sum()) for key, v in predict({"a": [1]}).items()} == {"b": 3, "c": 1}


def test_custom_signature_def(directory):
    info = tf.TensorInfo(name="v/read:0")
    signature = tf.saved_model.build_signature_def({}, {"v": info})
    assert make(directory, signature_def=signature)({}) == {"v": 1}


@pytest.mark.parametrize(
    "kwargs, kind, text",
    [
        ({"tags": "serve,gpu"}, RuntimeError, "MetaGraphDef associated with tags 'serve', 'gpu'"),
        (
            {"signature_def_key": "other"},
            ValueError,
            r'Got signature_def_key "other". Available signatures are \[\'serving_default\'\].',
        ),
    ],
)
def test_invalid_arguments(directory, kwargs, kind, text):
    with pytest.raises(kind, match=text):
        make(directory, **kwargs)


def test_invalid_inputs_and_paths(directory):
    with pytest.raises(ValueError, match="Got unexpected keys in input_dict: {'z'}\nexpected: {"):
        make(directory)({"z": 1})
    with pytest.raises(OSError, match="SavedModel file does not exist at: /nowhere/{saved_model"):
        make("/nowhere")
