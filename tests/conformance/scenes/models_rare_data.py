"""Rare data for Keras models: plain numbers, unusual weights, generators with separate targets, uneven counts."""

import numpy as np

from tests.conformance.scenes import in_own_graph
from tests.conformance.scenes.models_data import _X, _Y, _one, _two


@in_own_graph
def of_odd_kinds(tf, stage):
    one = _one(tf)
    stage.attempts(
        lambda: one.predict_on_batch([1.0, 2.0]),
        lambda: one.predict_on_batch([None]),
        lambda: one.test_on_batch(
            tf.placeholder_with_default(_X, None), tf.placeholder_with_default(_Y, None)
        ),
    )


@in_own_graph
def of_odd_weights(tf, stage):
    one, two = _one(tf), _two(tf)
    y = [_Y, np.ones([4, 2])]
    four = np.arange(4.0)
    stage.attempts(
        lambda: one.test_on_batch(_X, _Y, sample_weight={"d": four}),
        lambda: one.test_on_batch(_X, _Y, sample_weight=[]),
        lambda: one.test_on_batch(_X, _Y, sample_weight=np.ones([4, 1, 1])),
        lambda: one.test_on_batch(_X, _Y, sample_weight=[four, four]),
        lambda: two.test_on_batch([_X, _Y], y, sample_weight=[(four,), None]),
    )
    for mode in ("other", "temporal", "samplewise", ["temporal"], ["other"], [None, None], {}):
        with stage.failing():
            model = _one(tf, sample_weight_mode=mode)
    model = tf.keras.Sequential([tf.keras.layers.Activation("linear", input_shape=(3, 2))])
    for mode in ("temporal", ["temporal"], {"activation": "temporal"}, "other"):
        with stage.failing():
            model.compile("sgd", "mse", sample_weight_mode=mode)


@in_own_graph
def of_odd_counts(tf, stage):
    one, two = _one(tf), _two(tf)
    fixed = tf.keras.Sequential(
        [tf.keras.layers.Activation("linear", batch_input_shape=(2, 1), name="f")]
    )
    fixed.compile("sgd", "mse")
    halves = tf.keras.Sequential([tf.keras.layers.Lambda(lambda x: x[:1], input_shape=(1,))])
    halves.compile("sgd", "mse")
    data = tf.data.Dataset.from_tensor_slices
    stage.attempts(
        lambda: fixed.predict(_Y, batch_size=4),
        lambda: fixed.evaluate(_Y, _Y, batch_size=1, verbose=0),
        lambda: halves.predict(_Y),
        lambda: one.predict(data(_X).batch(2)),
        lambda: one.evaluate(data((_X,)).batch(2), verbose=0),
        lambda: two.predict(data(({"b": _Y, "a": _X},)).batch(2), verbose=0),
    )
    for frequency in (0, -1, 1, 2, [1], (2, 3), {3}, "a", 1.5, None, [[1]]):
        with stage.failing():
            found = one.fit(
                _X,
                *(_Y, 4, 3),
                verbose=0,
                validation_data=(_X, _Y),
                validation_freq=frequency,
                shuffle=False,
            )
            stage.say(found.history)
    stage.attempts(
        lambda: one.fit(data((_X, _Y)).batch(2), _Y),
        lambda: one.fit(data((_X, _Y)).batch(2), sample_weight=_Y),
        lambda: one.evaluate(data((_X, _Y)).batch(2), _Y),
        lambda: one.fit((row for row in [(_X, _Y)]), _Y),
        lambda: one.fit((row for row in [(_X, _Y)]), sample_weight=_Y),
        lambda: (
            one.fit((row for row in [(_X, _Y)] * 3), steps_per_epoch=2, epochs=3, verbose=0).history
        ),
        lambda: one.evaluate((row for row in [(_X, _Y)]), verbose=0),
        lambda: one.evaluate((row for row in [(_X, _Y)] * 3), steps=5, verbose=0),
        lambda: one.predict((row for row in [(_X,)] * 3), steps=2, verbose=0),
        lambda: (
            one.fit(
                _X,
                _Y,
                verbose=0,
                validation_data=(row for row in [(_X, _Y)] * 2),
                validation_steps=1,
            ).history
        ),
    )
