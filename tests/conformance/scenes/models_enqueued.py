"""Keras's enqueuers, bars, summaries and YAML; functions of utils with their options."""

import io
from contextlib import redirect_stdout

from tests.conformance.scenes import in_own_graph


def enqueuers(tf, stage):
    of = tf.keras.utils

    class Rows(of.Sequence):
        ended = 0

        def __len__(self):
            return 3

        def __getitem__(self, index):
            return index * 10

        def on_epoch_end(self):
            self.ended += 1

    class Fails(Rows):
        def __getitem__(self, index):
            if index == 1:
                raise ValueError("mine")
            return index

    def taken(made, count, **options):
        made.start(**options)
        stage.say(made.is_running(), made.workers)
        found, rows = [], made.get()
        try:
            for _ in range(count):
                found.append(next(rows))
        except StopIteration:
            found.append("end")
        except Exception as error:
            found.append((type(error).__name__, str(error)))
        made.stop()
        return found, made.is_running()

    rows = Rows()
    stage.attempts(
        lambda: taken(of.OrderedEnqueuer(rows), 7),
        lambda: sorted(taken(of.OrderedEnqueuer(rows, shuffle=True), 3)[0]),
        lambda: taken(of.OrderedEnqueuer(Fails()), 3),
        lambda: taken(of.GeneratorEnqueuer(iter([1, 2, 3])), 5),
        lambda: taken(of.GeneratorEnqueuer(x for x in (1, 2)), 2, workers=1, max_queue_size=3),
        lambda: taken(of.GeneratorEnqueuer((1 // x for x in (1, 0)), False), 3),
        lambda: of.OrderedEnqueuer(rows).is_running(),
    )


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


def functions(tf, stage):
    of = tf.keras.utils
    stage.attempts(
        lambda: of.convert_all_kernels_in_model(
            tf.keras.Sequential([tf.keras.layers.Conv2D(1, 1, input_shape=(1, 1, 1))])
        ),
        lambda: of.serialize_keras_object(3),
        lambda: of.deserialize_keras_object("none", {"relu": 1}, printable_module_name="thing"),
        lambda: of.deserialize_keras_object({"config": 1}, {}),
        lambda: of.deserialize_keras_object({"class_name": "a", "config": {}}, {}),
    )
    with of.custom_object_scope({"a": 1}, {"b": 2}), of.CustomObjectScope({"a": 3}):
        stage.say(sorted(of.get_custom_objects().items()))
    stage.say(sorted(of.get_custom_objects()))
