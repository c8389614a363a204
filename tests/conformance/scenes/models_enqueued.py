"""Keras's enqueuers, progress bars, summaries and YAML; utility functions with their options."""

import io
from contextlib import redirect_stdout

from tests.conformance.scenes import in_own_graph


@in_own_graph
def summaries(tf, stage):
    layers = tf.keras.layers

    def said(model, **options):
        out = io.StringIO()
        with redirect_stdout(out):
            model.summary(**options)
        for line in out.getvalue().split("\n"):
            stage.say(line.replace(" ", "."))

    a, b = tf.keras.Input((4,), name="a"), tf.keras.Input((2, 3), name="b")
    shared = layers.Dense(6, name="shared")
    inner = tf.keras.Sequential(
        [layers.Dense(6, input_shape=(6,)), layers.Dropout(0.5)], name="inner"
    )
    x = layers.Add(name="add")([shared(a), layers.Flatten(name="flat")(b), inner(shared(a))])
    norm = layers.BatchNormalization(name="a_very_long_name_of_a_layer_that_is_cut_off_somewhere")
    several = tf.keras.Model([a, b], [norm(x), x], name="several")
    said(several)
    said(several, line_length=70)
    said(several, line_length=80, positions=[0.3, 0.5, 0.7, 1.0])
    said(several, positions=[20, 40, 50, 90])
    lines = []
    said(several, print_fn=lines.append)
    stage.say(len(lines), lines[:3])
    said(inner)
    shared.trainable = False
    said(several)
    inner.compile("sgd", "mse")
    inner.layers[0].trainable = False
    said(inner)
    late = tf.keras.Sequential([layers.Dense(3)], name="late")

    class Own(tf.keras.Model):
        def __init__(self):
            super().__init__(name="own")
            self.one = layers.Dense(2, name="one")
            self.two = [layers.Dense(1, name="two")]

        def call(self, x):
            return self.two[0](self.one(x))

    own = Own()
    own.build((None, 3))
    said(own)
    stage.attempts(
        lambda: late.count_params(),
        lambda: several.reset_states(),
        lambda: several.compute_output_shape((5, 4)),
        lambda: tf.keras.Model(a, tf.layers.Dense(1)(a)),
        lambda: tf.keras.Sequential([tf.layers.Dense(1)]),
        lambda: several.input_spec,
    )
