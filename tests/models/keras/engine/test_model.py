"""Nested models and variables in layers: late or manually created weights."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

keras = tf.keras


def test_unbuilt_model_may_be_nested():
    model = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(3)])
    model.add(keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(5)]))
    model.compile("rmsprop", "mse")
    model.fit(np.ones((2, 6)), np.ones((2, 5)), verbose=0)
    assert [v.shape.as_list() for v in model.weights[::2]] == [[6, 4], [4, 3], [3, 4], [4, 5]]


def test_variables_in_attributes_are_initialized():
    class Scaled(keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.factors = [tf.Variable(1.0), {"a": tf.Variable(2.0)}]

        def call(self, inputs):
            return inputs * self.factors[0] * self.factors[1]["a"]

    model = keras.Sequential([Scaled()])
    model.compile("sgd", "mse")
    assert model.predict(np.ones((2, 3))).tolist() == [[2.0] * 3] * 2


def test_lambda_variables_are_trained():
    def doubled(x):
        return x * tf.Variable(1.0, use_resource=True)

    model = keras.Sequential([keras.layers.Lambda(doubled, input_shape=(10,))])
    model.compile(keras.optimizers.SGD(0.1), "mae")
    x = np.ones((10, 10), "float32")
    model.fit(x, 2 * x, batch_size=2, epochs=2, verbose=0)
    assert keras.backend.get_value(model.trainable_weights[0]) == pytest.approx(2.0)


def test_lambda_output_shape_of_structure():
    layer = keras.layers.Lambda(lambda inputs: (inputs[1]["a"], {"b": inputs[0]}))
    shapes = layer.compute_output_shape(((10, 20), {"a": (10, 5)}))
    assert [shapes[0].as_list(), shapes[1]["b"].as_list()] == [[10, 5], [10, 20]]


def test_subclass_ignores_positional_arguments():
    class Model(keras.Model):
        def __init__(self):
            super().__init__(self)
            self.dense = keras.layers.Dense(1)

        def call(self, inputs):
            return self.dense(inputs["a"])

    model = Model()
    assert model.name == "model"
    model.compile("sgd", "mse")
    model.fit({"a": np.ones((4, 2))}, np.ones((4, 1)), verbose=0)
    assert [v.name for v in model.weights] == ["model/dense/kernel:0", "model/dense/bias:0"]


def test_validation_tensors_of_unbuilt_model():
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile("rmsprop", "mse")
    x, y = keras.backend.zeros((10, 3)), keras.backend.zeros((10, 4))
    history = model.fit(
        x, y, steps_per_epoch=2, verbose=0, validation_data=(x, y), validation_steps=2
    )
    assert history.history["val_loss"] == [0.0]


def test_assignment_result_is_not_a_weight():
    class Counting(keras.layers.Layer):
        def build(self, input_shape):
            self.v = tf.Variable(1.0, use_resource=True)
            self.step = self.v.assign_add(2.0)

    layer = Counting()
    layer.build((2,))
    assert layer.variables == [layer.v]


def test_layers_of_tf_layers_are_refused():
    message = "The following are legacy tf.layers.Layers:\n  <"
    with pytest.raises(TypeError, match=message):
        keras.Sequential([keras.layers.Dense(1), tf.layers.Dense(1)])
    with pytest.raises(TypeError, match=message):
        keras.Sequential().add(tf.layers.Dense(1))
    x = keras.Input((3,))
    with pytest.raises(TypeError, match=message):
        keras.Model(x, tf.layers.Dense(1)(x))


@pytest.mark.parametrize("layer", ["LeakyReLU", "Softmax", "GaussianNoise", "Embedding", "Add"])
def test_output_shapes_are_tensor_shapes(layer):
    arguments = {"GaussianNoise": [0.1], "Embedding": [5, 3]}.get(layer, [])
    inputs = [(2, 4), (2, 4)] if layer == "Add" else (2, 4)
    shape = getattr(keras.layers, layer)(*arguments).compute_output_shape(inputs)
    assert isinstance(shape, tf.TensorShape)
    assert shape.as_list() == ([2, 4, 3] if layer == "Embedding" else [2, 4])


def test_dot_refuses_single_shape():
    with pytest.raises(ValueError, match="list of 2 inputs"):
        keras.layers.Dot(1).compute_output_shape(1)


def test_sequential_call_accepts_arrays():
    with tf.Graph().as_default(), tf.Session() as session:
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
        model.build((None, 2))
        outputs = model.call(np.array([[1.0, 2.0]], np.float32))
        session.run(tf.global_variables_initializer())
        assert session.run(outputs).tolist() == [[3.0]]
