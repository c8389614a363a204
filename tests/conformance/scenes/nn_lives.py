"""Layers over several steps and calls: moving statistics, stateful batches, nodes, ops as layers, custom metrics."""

import numpy as np

from tests.conformance.scenes import eager_mode

_R = {"kernel_initializer": "ones", "recurrent_initializer": "ones"}


def _numbers(*shape):
    return ((np.arange(int(np.prod(shape))) * 5 % 11 - 3.0) / 8).reshape(shape).astype(np.float32)


def both_ways(tf, stage):
    """Bidirectional layers: each merge mode, custom backward layers, states, constants, copies."""
    k = tf.keras.layers
    x = tf.constant(_numbers(2, 2, 2))
    session = tf.Session()

    def ones(kind, units=1, **options):
        return getattr(k, kind)(units, **_R, unroll=True, **options)

    makes = [
        *[
            lambda m=m: k.Bidirectional(ones("SimpleRNN"), m)
            for m in ("sum", "mul", "ave", "concat", None)
        ],
        *[
            lambda m=m: k.Bidirectional(ones("SimpleRNN", return_sequences=True), merge_mode=m)
            for m in ("sum", None)
        ],
        lambda: k.Bidirectional(ones("LSTM", return_state=True, return_sequences=True), "ave"),
        lambda: k.Bidirectional(ones("LSTM", return_state=True), None),
        lambda: k.Bidirectional(ones("SimpleRNN", go_backwards=True, name="mine"), name="outer"),
        lambda: k.Bidirectional(
            ones("SimpleRNN"), backward_layer=ones("LSTM", 2, go_backwards=True)
        ),
        lambda: k.Bidirectional(k.RNN([k.GRUCell(1, **_R), k.SimpleRNNCell(1, **_R)], unroll=True)),
        lambda: k.Bidirectional(ones("SimpleRNN"), weights=[np.ones([2, 1])] * 3),
        lambda: k.Bidirectional(ones("SimpleRNN"), "max"),
        lambda: k.Bidirectional(3),
        lambda: k.Bidirectional(ones("SimpleRNN"), backward_layer=3),
        lambda: k.Bidirectional(ones("SimpleRNN"), backward_layer=ones("SimpleRNN")),
        lambda: k.Bidirectional(
            ones("SimpleRNN"),
            backward_layer=ones("SimpleRNN", go_backwards=True, return_state=True),
        ),
    ]
    made = []
    for make in makes:
        with stage.failing():
            layer = make()
            config = layer.get_config()
            stage.say({n: config[n] for n in config if n not in ("layer", "backward_layer")})
            stage.say(config["layer"]["class_name"], "backward_layer" in config)
            copy = type(layer).from_config(config)
            stage.say([copy.forward_layer.name, copy.backward_layer.name, copy.name])
            stage.say([copy.forward_layer.go_backwards, copy.backward_layer.go_backwards])
            y = copy(x)
            stage.say([w.name for w in copy.weights], len(copy.trainable_weights), copy.constraints)
            if not copy.return_state:
                stage.say(copy.compute_output_shape((None, 2, 2)))
            stage.say([t.shape for t in tf.nest.flatten(y)])
            stage.say(copy.compute_mask(x, tf.ones([2, 2]) > 0), copy.compute_mask(x, [None]))
            made.append(y)
            copy.trainable = False
            stage.say(len(copy.trainable_weights), copy.forward_layer.trainable)
    layer = k.Bidirectional(ones("LSTM"))
    state = [tf.constant([[n + 0.5], [n]]) for n in range(4)]
    y = [layer(x, initial_state=state), layer([x, *state]), layer(x)]
    stage.attempts(
        lambda: layer(x, initial_state=state[:2]),
        lambda: k.Bidirectional(ones("SimpleRNN"))(x, initial_state=tuple(state[:2])).shape,
    )
    session.run(tf.global_variables_initializer())
    stage.say(session.run(y))
    for values in session.run(made):
        stage.say(values)
    a = tf.keras.Input((2, 2))
    s = [tf.keras.Input((1,)) for _ in range(2)]
    layer = k.Bidirectional(ones("SimpleRNN"))
    y = layer(a, initial_state=s)
    model = tf.keras.Model([a, *s], y)
    stage.say([one.name for one in model.layers], [spec is None for spec in layer.input_spec])


def nodes(tf, stage):
    """A layer's records of its calls in models, and ops between layers."""
    k = tf.keras.layers

    class Sum(k.Layer):
        def call(self, inputs, other):
            return inputs + other

    a, b = tf.keras.Input((2,), name="a"), tf.keras.Input((3,), batch_size=2, name="b")
    layer, act, add = k.Dense(3, name="d"), k.Activation("relu", name="act"), k.Add(name="add")
    stage.attempts(
        *[
            lambda n=n: getattr(layer, n)
            for n in ("input", "output", "input_shape", "output_shape")
        ],
        *[lambda n=n: getattr(layer, n) for n in ("input_mask", "output_mask", "inbound_nodes")],
        *[
            lambda n=n: getattr(layer, f"get_{n}_at")(0)
            for n in ("input", "output", "input_shape", "output_mask")
        ],
        lambda: layer.count_params(),
    )
    x = layer(a)
    y = add([act(x), b])
    z = act(b)
    stage.say(layer.input.name, layer.output.name, layer.input_shape, layer.output_shape)
    w = tf.constant([1.0, 2.0, 4.0], name="w")
    out = tf.reduce_sum(tf.exp(y * w) - tf.split(z, 3, axis=1)[1], axis=-1, keepdims=True)
    tripled = Sum(name="sum")(out, other=out * 3.0)
    final = k.Dense(1, name="last", kernel_initializer="ones")(tripled)
    model = tf.keras.Model([a, b], final)
    stage.say([(one.name, type(one).__name__) for one in model.layers])
    for one in model.layers:
        if type(one).__name__ == "TensorFlowOpLayer":
            config = one.get_config()
            stage.say({n: config[n] for n in config if n != "node_def"})
            stage.say(one.dtype, one.built, one.input_shape, one.output_shape, one.trainable)
    copy = tf.keras.Model.from_config(model.get_config(), {"Sum": Sum})
    copy.set_weights([np.ones(v.shape) for v in model.weights])
    stage.say(copy.predict([_numbers(2, 2), _numbers(2, 3)]))
    stage.attempts(lambda: tf.keras.Model(a, y))


def own_metrics(tf, stage):
    """Metrics and losses that layers add to models, and custom metrics."""
    with tf.Graph().as_default():  # calls functions whose names contain process-wide numbers
        _own_metrics(tf, stage)


def _own_metrics(tf, stage):
    k = tf.keras

    class Largest(k.metrics.Metric):
        def __init__(self, start=0.0, **options):
            super().__init__(**options)
            self.start = start
            self.most = self.add_weight("most", initializer=k.initializers.Constant(start))
            self.count = self.add_weight(
                name="count", shape=[1], dtype="int32", initializer="zeros"
            )

        def update_state(self, values, sample_weight=None):
            values = tf.cast(values, self.dtype)
            if sample_weight is not None:
                values *= sample_weight
            self.count.assign_add([1])
            return self.most.assign(tf.maximum(self.most, tf.reduce_max(values)))

        def result(self):
            return self.most * 2.0

    class Adds(k.layers.Layer):
        def call(self, x):
            self.add_metric(x, aggregation="mean", name="of_inputs")
            self.add_metric(Largest(name="most")(x))
            self.add_loss(tf.reduce_sum(x), inputs=True)
            self.add_loss(lambda: 2.0)
            return x * 2.0

    metric = Largest(1.0, name="alone", dtype="float64")
    stage.say(metric.dtype, metric.name, metric.stateful, metric.built, metric.get_config())
    stage.say([(v.name, v.dtype, v.trainable, str(v.shape)) for v in metric.weights])
    found = metric(tf.constant([3.0, 2.0]))
    again = metric.update_state(tf.constant([5, 7]), sample_weight=0.5)
    stage.say(found.name, found.dtype, getattr(again, "name", again), len(metric.updates))
    session = k.backend.get_session()
    stage.attempts(
        lambda: (metric.reset_states(), session.run(metric.variables)),
        lambda: Largest("wrong"),
        lambda: k.metrics.Metric(),
    )
    layer, inputs = Adds(name="adds"), k.Input((2,))
    outputs = layer(inputs)
    model = k.Model(inputs, outputs)
    stage.say(model.metrics_names if hasattr(model, "metrics_names") else "", len(model.losses))
    stage.say([m.name for m in model.metrics], len(layer.losses), len(layer.get_losses_for(None)))
    stage.say(len(layer.get_losses_for(inputs)), len(layer.get_updates_for(inputs)))
    model.compile("sgd", "mse", metrics=["mae"])
    stage.say(model.metrics_names)
    stage.attempts(
        lambda: model.test_on_batch(_numbers(2, 2), _numbers(2, 2)),
        lambda: model.test_on_batch(_numbers(2, 2), _numbers(2, 2), reset_metrics=False),
        lambda: model.evaluate(_numbers(4, 2), _numbers(4, 2), batch_size=2, verbose=0),
        lambda: layer.add_metric(tf.constant(1.0)),
        lambda: layer.add_metric(tf.constant(1.0), "sum", "named"),
        lambda: layer.add_metric(tf.constant(1.0), name="named"),
        lambda: (
            layer.add_metric(tf.constant(3.0), "mean", "named"),
            [m.name for m in layer.metrics],
        ),
        lambda: model.add_metric(outputs, aggregation="mean", name="late"),
        lambda: model.add_loss(tf.reduce_mean(outputs)),
    )
    with eager_mode(tf):
        metric = Largest(name="eager")
        stage.attempts(
            lambda: metric([1.0, 4.0]),
            lambda: metric(tf.constant([2.0]), sample_weight=3.0),
            lambda: (metric.reset_states(), metric.result()),
        )
