import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

layers = tf.keras.layers
clone = tf.keras.models.clone_model


def _functional():
    a, b = tf.keras.Input((3,), name="a"), tf.keras.Input((3,), name="b")
    shared = layers.Dense(4, activation="tanh", name="shared")
    joined = layers.concatenate([shared(a), shared(b)])
    output = layers.Dense(2, name="out")(layers.Dropout(0.5)(joined))
    model = tf.keras.Model([a, b], output)
    model.add_loss(tf.reduce_mean(tf.square(joined)))
    model.add_metric(tf.reduce_max(joined), name="largest", aggregation="mean")
    return model


def test_cloned_functional_models_have_separate_weights():
    model = _functional()
    copy = clone(model)
    assert {type(x) for x in copy.layers} == {type(x) for x in model.layers}
    assert not set(copy.weights) & set(model.weights)
    x = list(np.random.RandomState(0).rand(2, 5, 3).astype("f"))
    assert np.abs(copy.predict(x) - model.predict(x)).max() > 0
    copy.set_weights(model.get_weights())
    np.testing.assert_allclose(copy.predict(x), model.predict(x), rtol=1e-6)
    for created in (model, copy):
        created.compile("sgd", "mse")
    y = np.zeros((5, 2))
    assert copy.metrics_names == model.metrics_names == ["loss", "largest"]
    np.testing.assert_allclose(
        copy.evaluate(x, y, verbose=0), model.evaluate(x, y, verbose=0), rtol=1e-5
    )


def test_unsupported_models_are_refused():
    class Own(tf.keras.Model):
        pass

    with pytest.raises(ValueError, match="got a subclass model instead"):
        clone(Own())
    with pytest.raises(ValueError, match="Expected `model` argument"):
        clone(layers.Dense(1))
    model = tf.keras.Sequential([layers.Dense(1, input_shape=(3,))])
    with pytest.raises(ValueError, match="at most one tensor"):
        clone(model, [tf.keras.Input((3,)), tf.keras.Input((3,))])
    with pytest.raises(ValueError, match="comes from a Keras layer other than"):
        clone(model, model.output)
