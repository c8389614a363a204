"""Recurrent layers and cells: options, configs and copies, states, masks, constants, errors; layer wrappers."""

import numpy as np


def _plain(value):
    """A config value, sorted by key."""
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _data(*shape):
    count = int(np.prod(shape))
    return ((np.arange(count) % 5 - 1.0) / 4).astype(np.float32).reshape(shape)


_ONES = {"kernel_initializer": "ones", "recurrent_initializer": "ones"}


def _of_layers(cases):
    """A scene: each layer created, rebuilt from its config, and called."""

    def scene(tf, stage):
        for number, (name, case) in enumerate(cases.items()):
            make, shape, options = (*case, {})[:3]
            with tf.Graph().as_default(), stage.failing():
                tf.set_random_seed(1)
                stage.say("=", name)
                layer = make(tf.keras.layers)
                config = layer.get_config()
                stage.say(_plain(config))
                copy = type(layer).from_config(config)
                x = tf.constant(_data(*shape))
                if number % 2 and not options.get("known"):
                    x = tf.placeholder_with_default(x, [None, None, *shape[2:]])
                if "returns_state" not in options:
                    stage.say(copy.compute_output_shape((None, *shape[1:])))
                more = {key: value(tf) for key, value in options.items() if callable(value)}
                found = []
                with stage.failing():
                    found = copy(x, **more)
                    stage.say([str(y.shape) for y in tf.nest.flatten(found)], copy.input_spec)
                stage.say([(w.name, str(w.shape)) for w in copy.weights])
                stage.say(len(copy.losses), len(copy.updates), getattr(copy, "state_size", "-"))
                stage.say(copy.compute_mask(x, more.get("mask")))
                if "runs" in options:
                    with tf.Session() as session:
                        session.run(tf.global_variables_initializer())
                        stage.say(session.run(found))
                stage.brief_graph(names=False)

    scene.__module__ = __name__
    return scene


def _k(kind, *given, **options):
    return lambda k: getattr(k, kind)(*given, **{**_ONES, **options})


def _mask(tf):
    return tf.constant([[True, True, False], [True, False, True]])


_REGULAR = {
    "kernel_regularizer": "l2",
    "recurrent_regularizer": "l1",
    "bias_regularizer": "l2",
    "activity_regularizer": "l1",
    "kernel_constraint": "max_norm",
    "recurrent_constraint": "unit_norm",
    "bias_constraint": "non_neg",
    "bias_initializer": "ones",
}
_X = (2, 3, 2)
plain = _of_layers(
    {
        "simple": (_k("SimpleRNN", 2), _X),
        "simple_sequences": (_k("SimpleRNN", 2, return_sequences=True, return_state=True), _X),
        "simple_backwards": (_k("SimpleRNN", 2, go_backwards=True, return_sequences=True), _X),
        "simple_unrolled": (_k("SimpleRNN", 2, unroll=True, activation="relu"), _X, {"known": 1}),
        "simple_unrolled_back": (
            _k("SimpleRNN", 1, unroll=True, go_backwards=True, return_sequences=True),
            _X,
            {"known": 1},
        ),
        "simple_unrolled_unknown": (_k("SimpleRNN", 1, unroll=True), _X),
        "simple_major": (_k("SimpleRNN", 2, time_major=True, return_sequences=True), _X),
        "simple_major_unrolled": (
            _k("SimpleRNN", 2, time_major=True, return_sequences=True, unroll=True),
            _X,
            {"known": 1},
        ),
        "simple_masked": (
            _k("SimpleRNN", 2, return_sequences=True),
            _X,
            {"mask": _mask, "runs": 1},
        ),
        "simple_masked_state": (_k("SimpleRNN", 2, return_state=True), _X, {"mask": _mask}),
        "simple_masked_unrolled": (
            _k("SimpleRNN", 2, return_sequences=True, unroll=True, zero_output_for_mask=False),
            _X,
            {"known": 1, "mask": _mask},
        ),
        "simple_unrolled_mask": (
            _k("SimpleRNN", 2, return_sequences=True, unroll=True),
            _X,
            {"known": 1, "mask": _mask},
        ),
        "simple_regular": (_k("SimpleRNN", 2, **_REGULAR), _X),
        "simple_no_bias": (_k("SimpleRNN", 2, use_bias=False, activation=None), _X),
        "simple_dropped": (
            _k("SimpleRNN", 2, dropout=0.5, recurrent_dropout=0.25),
            _X,
            {"training": lambda tf: True},
        ),
        "simple_state": (
            _k("SimpleRNN", 2, return_state=True),
            _X,
            {"initial_state": lambda tf: tf.ones([2, 2])},
        ),
        "simple_states": (
            _k("SimpleRNN", 2),
            _X,
            {"initial_state": lambda tf: [tf.ones([2, 2])] * 2},
        ),
        "simple_state_shape": (
            _k("SimpleRNN", 2),
            _X,
            {"initial_state": lambda tf: [tf.ones([2, 3])]},
        ),
        "simple_stateful": (
            _k("SimpleRNN", 2, stateful=True, batch_input_shape=_X),
            _X,
            {"known": 1},
        ),
        "simple_stateful_unknown": (_k("SimpleRNN", 2, stateful=True), _X),
        "simple_rank": (_k("SimpleRNN", 2), (2, 3)),
        "gru": (_k("GRU", 2), _X, {"runs": 1}),
        "gru_after": (_k("GRU", 2, reset_after=True, return_sequences=True, **_REGULAR), _X),
        "gru_two": (_k("GRU", 2, implementation=2, recurrent_activation="tanh"), _X),
        "gru_two_after": (_k("GRU", 2, implementation=2, reset_after=True, use_bias=False), _X),
        "gru_no_bias": (_k("GRU", 2, use_bias=False, return_state=True), _X),
        "gru_masked": (_k("GRU", 2, return_sequences=True, return_state=True), _X, {"mask": _mask}),
        "gru_dropped": (
            _k("GRU", 2, dropout=0.5, recurrent_dropout=0.25),
            _X,
            {"training": lambda tf: True},
        ),
        "gru_dropped_two": (
            _k("GRU", 2, dropout=0.5, recurrent_dropout=0.25, implementation=2),
            _X,
            {"training": lambda tf: True},
        ),
        "gru_dropped_after": (
            _k("GRU", 2, dropout=0.5, recurrent_dropout=0.25, reset_after=True),
            _X,
            {"training": lambda tf: True},
        ),
        "lstm": (_k("LSTM", 2), _X, {"runs": 1}),
        "lstm_all": (_k("LSTM", 2, return_sequences=True, return_state=True, **_REGULAR), _X),
        "lstm_two": (_k("LSTM", 2, implementation=2, unit_forget_bias=False), _X),
        "lstm_bare": (_k("LSTM", 2, use_bias=False, recurrent_activation="sigmoid"), _X),
        "lstm_two_bare": (_k("LSTM", 2, use_bias=False, implementation=2, go_backwards=True), _X),
        "lstm_masked": (_k("LSTM", 2, return_state=True), _X, {"mask": _mask}),
        "lstm_unrolled": (_k("LSTM", 1, unroll=True, return_sequences=True), _X, {"known": 1}),
        "lstm_dropped": (
            _k("LSTM", 2, dropout=0.5, recurrent_dropout=0.25),
            _X,
            {"training": lambda tf: True},
        ),
        "lstm_dropped_two": (
            _k("LSTM", 2, dropout=0.5, recurrent_dropout=0.25, implementation=2),
            _X,
            {"training": lambda tf: True},
        ),
        "lstm_states": (
            _k("LSTM", 2, return_state=True),
            _X,
            {"initial_state": lambda tf: [tf.ones([2, 2]), tf.zeros([2, 2])]},
        ),
        "lstm_stateful": (
            _k("LSTM", 1, stateful=True, batch_input_shape=_X, return_state=True),
            _X,
            {"known": 1},
        ),
        "implementation_wrong": (_k("LSTM", 2, implementation=3), _X),
        "conv": (_k("ConvLSTM2D", 1, 2), (1, 2, 3, 3, 1), {"known": 1}),
        "conv_all": (
            _k(
                "ConvLSTM2D",
                2,
                2,
                padding="same",
                return_sequences=True,
                return_state=True,
                **_REGULAR,
            ),
            (1, 2, 3, 2, 1),
            {"known": 1},
        ),
        "conv_strides": (
            _k("ConvLSTM2D", 1, (2, 1), strides=2, use_bias=False, go_backwards=True),
            (1, 2, 4, 3, 1),
            {"known": 1},
        ),
        "conv_dropped": (
            _k("ConvLSTM2D", 1, 1, dropout=0.5, recurrent_dropout=0.25, unit_forget_bias=False),
            (1, 2, 2, 2, 1),
            {"known": 1, "training": lambda tf: True},
        ),
        "conv_stateful": (
            _k("ConvLSTM2D", 1, 1, stateful=True, batch_input_shape=(1, 2, 2, 2, 1)),
            (1, 2, 2, 2, 1),
            {"known": 1},
        ),
        "conv_unrolled": (_k("ConvLSTM2D", 1, 1, unroll=True), (1, 2, 2, 2, 1), {"known": 1}),
    }
)


def _simple(k, units=2, **options):
    return k.SimpleRNN(units, **{**_ONES, **options})


def _both(merge, inner=_simple, options=None, **more):
    return lambda k: k.Bidirectional(inner(k, **(options or {})), merge, **more)


wrapped = _of_layers(
    {
        **{
            f"both_{merge}_{sequences}": (_both(merge, options={"return_sequences": sequences}), _X)
            for merge in ("concat", "sum", "mul", "ave", None)
            for sequences in (False, True)
        },
        "both_state": (_both("sum", options={"return_state": True}), _X, {"returns_state": 1}),
        "both_states": (
            _both(None, options={"return_state": True, "return_sequences": True}),
            _X,
            {"returns_state": 1},
        ),
        "both_masked": (
            _both("concat", options={"return_sequences": True}),
            _X,
            {"mask": _mask, "runs": 1},
        ),
        "both_initial": (
            _both("concat"),
            _X,
            {"initial_state": lambda tf: [tf.ones([2, 2]), tf.zeros([2, 2])]},
        ),
        "both_initial_odd": (_both("concat"), _X, {"initial_state": lambda tf: [tf.ones([2, 2])]}),
        "both_initial_none": (_both("concat"), _X, {"initial_state": lambda tf: []}),
        "both_wrong": (_both("max"), _X),
        "both_stateful": (
            _both("concat", options={"stateful": True, "batch_input_shape": _X}),
            _X,
            {"known": 1},
        ),
        "both_other": (
            lambda k: k.Bidirectional(
                _simple(k), backward_layer=k.GRU(2, go_backwards=True, **_ONES), name="b"
            ),
            _X,
        ),
        "both_same_way": (
            lambda k: k.Bidirectional(_simple(k), backward_layer=k.GRU(2, **_ONES)),
            _X,
        ),
        "both_dense": (lambda k: k.Bidirectional(k.Dense(2)), _X),
        "both_number": (lambda k: k.Bidirectional(3), _X),
        "both_other_sequences": (
            lambda k: k.Bidirectional(
                _simple(k),
                backward_layer=k.GRU(2, go_backwards=True, return_sequences=True, **_ONES),
            ),
            _X,
        ),
        "each": (lambda k: k.TimeDistributed(k.Dense(1, kernel_initializer="ones")), _X),
        "each_known": (
            lambda k: k.TimeDistributed(k.Dense(1, "relu", kernel_initializer="ones")),
            _X,
            {"known": 1},
        ),
        "each_regular": (
            lambda k: k.TimeDistributed(
                k.Dense(1, kernel_initializer="ones", activity_regularizer="l2"), name="t"
            ),
            _X,
        ),
        "each_image": (
            lambda k: k.TimeDistributed(k.Conv2D(1, 2, kernel_initializer="ones")),
            (1, 2, 2, 2, 1),
            {"known": 1},
        ),
        "each_masked": (
            lambda k: k.TimeDistributed(_simple(k)),
            (2, 3, 2, 2),
            {"mask": lambda tf: tf.constant([[[True, False], [True, True], [True, True]]] * 2)},
        ),
        "each_of_masked": (lambda k: k.TimeDistributed(k.Masking(0.25)), (2, 3, 2, 2)),
        "each_flat": (lambda k: k.TimeDistributed(k.Flatten()), (2, 2, 2, 1)),
        "each_number": (lambda k: k.TimeDistributed(3), _X),
        "each_rank": (lambda k: k.TimeDistributed(k.Dense(1)), (2,)),
    }
)


def _cells(k, *kinds, **options):
    return [getattr(k, kind)(2, **{**_ONES, **options}) for kind in kinds]


cells = _of_layers(
    {
        "one": (lambda k: k.RNN(k.SimpleRNNCell(2, **_ONES), return_state=True), _X),
        "some": (
            lambda k: k.RNN(_cells(k, "SimpleRNNCell", "LSTMCell"), return_state=True, name="r"),
            _X,
        ),
        "stacked": (
            lambda k: k.RNN(
                k.StackedRNNCells(_cells(k, "LSTMCell", "GRUCell")), return_sequences=True
            ),
            _X,
        ),
        "stacked_back": (
            lambda k: k.RNN(
                k.StackedRNNCells(
                    [k.SimpleRNNCell(1, **_ONES), k.GRUCell(2, **_ONES)], reverse_state_order=True
                ),
                return_state=True,
            ),
            _X,
        ),
        "regular": (lambda k: k.RNN(_cells(k, "SimpleRNNCell", kernel_regularizer="l2")), _X),
        "no_cell": (lambda k: k.RNN(k.Dense(2)), _X),
        "no_call": (lambda k: k.RNN(3), _X),
        "dense_stacked": (lambda k: k.StackedRNNCells([k.Dense(2)]), _X),
        "constants": (
            lambda k: k.RNN(k.SimpleRNNCell(2, **_ONES)),
            _X,
            {"constants": lambda tf: tf.ones([2, 2])},
        ),
    }
)


def cells_alone(tf, stage):
    k = tf.keras.layers
    x = tf.constant(_data(2, 3))
    with tf.Session() as session:
        for make in (lambda: k.SimpleRNNCell(2, **_ONES),):
            cell = make()
            stage.say(type(cell).__name__, cell.state_size, getattr(cell, "output_size", "-"))
            zeros = cell.get_initial_state(inputs=x)
            named = cell.get_initial_state(batch_size=2, dtype="float64")
            stage.say([(z.dtype.name, str(z.shape)) for z in tf.nest.flatten([zeros, named])])
            stage.attempt(cell.get_initial_state)
            stage.attempt(cell.get_initial_state, batch_size=2)
            found = cell(x, list(zeros) if isinstance(zeros, (list, tuple)) else [zeros])
            session.run(tf.global_variables_initializer())
            stage.say(session.run(found))
            stage.say([w.name for w in cell.trainable_weights], len(cell.non_trainable_weights))
            stage.say(_plain(cell.get_config()))
            again = type(cell).from_config(cell.get_config())
            stage.say(again.name, again.built)
        abstract = k.AbstractRNNCell()
        stage.attempts(
            lambda: abstract.state_size,
            lambda: abstract.output_size,
            lambda: abstract.call(x, [x]),
            lambda: abstract.get_initial_state(batch_size=1, dtype=tf.float32),
        )
