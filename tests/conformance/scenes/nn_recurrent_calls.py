"""Recurrent layers called with constants, nested states and layer tensors; v2 and cuDNN layers."""

from tests.conformance.scenes import eager_mode, in_own_graph
from tests.conformance.scenes.nn_recurrent import _ONES, _data, _mask, _plain


def _cells(tf):
    base = tf.keras.layers.Layer

    class Nested(base):
        """A cell of nested inputs, states and outputs."""

        def __init__(self, units=2, **kwargs):
            super().__init__(**kwargs)
            self.state_size = (units, (units, 1))
            self.output_size = (units, 1)

        def build(self, shapes):
            self.w = self.add_weight("w", (2,), initializer="ones")
            self.built = True

        def call(self, inputs, states):
            first, (second, third) = states
            x, z = inputs if isinstance(inputs, (tuple, list)) else (inputs, inputs[:, :1])
            y = x * self.w + first
            return (y, z), (y, (second + 1.0, third + z))

    class Constant(base):
        """A cell that takes constants."""

        state_size = 2

        def call(self, inputs, states, constants=None, training=None):
            total = inputs + states[0]
            for one in constants or ():
                total += one
            return total, [total]

        def get_config(self):
            return base.get_config(self)

    return Nested, Constant


@in_own_graph
def constants(tf, stage):
    k = tf.keras.layers
    _, constant = _cells(tf)
    x, ones = tf.constant(_data(2, 3, 2)), tf.ones([2, 2])
    given, more = tf.keras.Input((3, 2), name="given"), tf.keras.Input((2,), name="more")
    state = tf.keras.Input((2,), name="state")

    def told(make):
        with stage.failing():
            layer, found = make()
            leaves = tf.nest.flatten(found)
            stage.say([str(y.shape) for y in leaves], layer.input_spec, layer._num_constants)
            config = layer.get_config()
            stage.say(_plain(config), hasattr(leaves[0], "_keras_history"))
            with tf.keras.utils.CustomObjectScope({"Constant": constant}):
                again = type(layer).from_config(config)
            stage.say(again._num_constants, again.name)

    def of(layer, *given, **options):
        return lambda: (lambda made: (made, made(*given, **options)))(layer())

    plain = lambda **options: lambda: k.RNN(constant(), **options)  # noqa: E731
    both = lambda: k.Bidirectional(k.RNN(constant(), return_sequences=True))  # noqa: E731
    for case in (
        of(plain(), x, constants=ones),
        of(plain(), x, constants=[ones, ones * 2.0]),
        of(plain(return_state=True), x, ones, [ones]),
        of(plain(), [x, ones]),
        of(plain(), [x, ones, ones]),
        of(plain(), given, constants=more),
        of(plain(), given, initial_state=state),
        of(plain(), given, state, more),
        of(plain(), given, ones, more),
        of(plain(), given, initial_state=[state], constants=[ones]),
        of(plain(), [given, state]),
        of(plain(), given, initial_state=[state, state]),
        of(plain(stateful=True, batch_input_shape=(2, 3, 2)), x, constants=ones),
        of(both, x, constants=ones),
        of(both, x, [ones, ones], [ones]),
        of(both, given, constants=more),
        of(both, given, [state, state], more),
        of(both, given, [state, ones]),
        of(both, x, [ones]),
        of(lambda: k.RNN(k.SimpleRNNCell(2)), x, constants=ones),
        of(lambda: k.GRU(2), [x, ones]),
        of(lambda: k.LSTM(2), [x, ones, ones]),
        of(lambda: k.LSTM(2), [x, ones]),
        of(lambda: k.LSTM(2), given, initial_state=[state, state]),
        of(lambda: k.LSTM(2), given, initial_state=[state, ones]),
        of(lambda: k.SimpleRNN(3), given, initial_state=[state]),
    ):
        told(case)
    layer = plain()()
    inside, outside = layer(x, constants=ones), layer(x, constants=ones * 3.0)
    with tf.Session() as session:
        stage.say(session.run([inside, outside]))


@in_own_graph
def nested_states(tf, stage):
    k = tf.keras.layers
    nested, _ = _cells(tf)
    x = tf.constant(_data(2, 3, 2))
    cases = {
        "last": (lambda: k.RNN(nested()), x, {}),
    }
    with tf.Session() as session:
        for name, (make, given, options) in cases.items():
            stage.say("=", name)
            with stage.failing():
                layer = make()
                found = layer(given, **options)
                leaves = tf.nest.flatten(found)
                stage.say(type(found).__name__, [str(y.shape) for y in leaves])
                session.run([w.initializer for w in layer.weights])
                session.run([w.assign(tf.ones_like(w)) for w in layer.weights])
                stage.say(session.run(leaves))
                stage.say(layer.states, layer.input_spec)


@in_own_graph
def newer_layers(tf, stage):
    k = tf.compat.v2.keras.layers
    steps = tf.placeholder(tf.float32, [3, None, 2])
    stage.attempt(lambda: k.SimpleRNN(1, unroll=True, time_major=True)(steps).shape)
    stage.attempt(lambda: k.BatchNormalization()(tf.placeholder(tf.float32, [2, 1, 1, 1, 2])).shape)
    tanh = {"recurrent_activation": "sigmoid"}
    for name, options in (
        ("plain", {}),
        ("sequences", {"return_sequences": True, "return_state": True}),
        ("backwards", {"go_backwards": True}),
        ("major", {"time_major": True, "return_sequences": True}),
        ("hard", {"recurrent_activation": "hard_sigmoid"}),
        ("relu", {"activation": "relu"}),
        ("dropped", {"recurrent_dropout": 0.5}),
        ("no bias", {"use_bias": False}),
        ("unrolled", {"unroll": True, **tanh}),
        ("stateful", {"stateful": True, "batch_input_shape": (2, 3, 2)}),
        ("one", {"implementation": 1}),
    ):
        for kind in ("LSTM", "GRU"):
            if kind == "GRU":
                options = {**options, "reset_after": name != "one"}
            with tf.Graph().as_default(), tf.Session() as session, stage.failing():
                stage.say("=", kind, name)
                layer = getattr(k, kind)(1, **{**_ONES, **options})
                stage.say(_plain(layer.get_config()))
                given = tf.constant(_data(2, 3, 2))
                found = layer(given)
                stage.say([str(y.shape) for y in tf.nest.flatten(found)])
                stage.say([(w.name, str(w.shape)) for w in layer.weights])
                session.run(tf.global_variables_initializer())
                stage.say(session.run(found))
                if name in ("plain", "sequences"):
                    stage.say(session.run(layer(given, mask=_mask(tf))))
                again = type(layer).from_config(layer.get_config())
                stage.say(again.name, again.get_config() == layer.get_config())
    cell = k.LSTMCell(1, **_ONES)
    stage.say(_plain(cell.get_config()), _plain(k.GRUCell(1).get_config()))
    with eager_mode(tf):
        stage.attempts(lambda: k.GRU(1, **_ONES)(tf.constant(_data(2, 3, 2))))


@in_own_graph
def layers_of_cudnn(tf, stage):
    k = tf.keras.layers
    x = tf.constant(_data(2, 3, 2))
    for kind in ("CuDNNLSTM", "CuDNNGRU"):
        for name, options in (
            ("plain", {}),
            ("sequences", {"return_sequences": True, "return_state": True}),
            ("backwards", {"go_backwards": True, "name": "b"}),
            ("major", {"time_major": True}),
            (
                "options",
                {
                    "bias_initializer": "ones",
                    "kernel_regularizer": "l2",
                    "recurrent_regularizer": "l1",
                    "bias_regularizer": "l2",
                    "activity_regularizer": "l1",
                    "kernel_constraint": "max_norm",
                    "recurrent_constraint": "unit_norm",
                    "bias_constraint": "non_neg",
                },
            ),
            ("stateful", {"stateful": True, "batch_input_shape": (2, 3, 2)}),
            ("forget", {"unit_forget_bias": False}),
            ("dropout", {"dropout": 0.5}),
            ("unroll", {"unroll": True}),
        ):
            with tf.Graph().as_default(), stage.failing():
                stage.say("=", kind, name)
                layer = getattr(k, kind)(2, **{**_ONES, **options})
                stage.say(_plain(layer.get_config()))
                found = layer(tf.constant(_data(2, 3, 2)))
                stage.say([str(y.shape) for y in tf.nest.flatten(found)], layer.input_spec)
                stage.say([(w.name, str(w.shape)) for w in layer.weights], len(layer.losses))
                stage.say(layer.cell.state_size, layer.compute_output_shape((None, 3, 2)))
                stage.say([op.name for op in tf.get_default_graph().get_operations()][-8:])
                stage.attempt(lambda: layer(x, mask=_mask(tf)))  # noqa: B023
                again = type(layer).from_config(layer.get_config())
                stage.say(again.units, again.go_backwards)
                if name == "plain":
                    stage.attempt(lambda: layer.compute_mask(x, _mask(tf)))  # noqa: B023
                    stage.attempt(lambda: layer.reset_states())  # noqa: B023
                    stage.brief_graph()


@in_own_graph
def functions_of_steps(tf, stage):
    k = tf.keras.backend

    def step(x, states):
        total = x + states[0] if states else x
        for constant in states[1:]:
            total *= constant
        return total, [total]

    x, zeros = tf.constant(_data(2, 3, 2)), [tf.zeros([2, 2])]
    mask = _mask(tf)
    cases = {
        "masked numbers": lambda: k.rnn(step, x, zeros, mask=tf.cast(mask, tf.int32)),
        "masked deep": lambda: k.rnn(step, x, zeros, mask=mask[:, :, None]),
        "masked stateless": lambda: k.rnn(lambda v, s: (v, []), x, [], mask=mask),
        "constants": lambda: k.rnn(step, x, zeros, constants=[tf.constant(2.0), tf.constant(0.5)]),
        "length": lambda: k.rnn(step, x, zeros, input_length=2),
    }
    with tf.Session() as session:
        for name, case in cases.items():
            stage.say(name)
            with stage.failing():
                found = case()
                leaves = tf.nest.flatten(found)
                stage.say([str(y.shape) for y in leaves])
                stage.say(session.run(leaves))


def shapes_of_outputs(tf, stage):
    """Output shapes declared by layers, for cells with and without an output size."""
    K = tf.keras.layers

    class Cell(K.Layer):
        """A cell of given sizes."""

        def __init__(self, state_size, output_size="absent"):
            super().__init__()
            self.state_size = state_size
            if output_size != "absent":
                self.output_size = output_size

        def call(self, inputs, states):
            return states[0], states

    shape = tf.TensorShape
    cells = {
        "ranked_output": lambda: Cell([4, 3], shape([7, 6])),
    }
    for name, make in cells.items():
        for options in (
            {},
            {"return_sequences": True},
            {"return_state": True},
            {"return_state": True, "return_sequences": True, "time_major": True},
            {"time_major": True},
        ):
            with tf.Graph().as_default(), stage.failing():
                layer = K.RNN(make(), **options)
                stage.say(name, sorted(options))
                stage.attempts(
                    lambda: layer.compute_output_shape((6, 5, 8)),  # noqa: B023  called here
                    lambda: layer.compute_output_shape([(None, 5, 8), (None, 4)]),  # noqa: B023
                    lambda: layer.compute_output_shape(shape([None, None, 8])),  # noqa: B023
                    lambda: layer.compute_mask(None, None),  # noqa: B023
                )
