"""tf.contrib.seq2seq: custom decoders and their required members; tf.contrib.rnn: column windows."""

import functools

import numpy as np


def _decoder(tf, ends, track=None, finalized=False, with_array=False, says=None):
    """A decoder whose sequences end and continue as given by a table."""

    class Own(tf.contrib.seq2seq.Decoder):
        batch_size = 2

        @property
        def output_size(self):
            return {"a": tf.TensorShape([1]), "b": tf.TensorShape([])}

        @property
        def output_dtype(self):
            return {"a": tf.float32, "b": tf.int32}

        def initialize(self, name=None):
            array = (tf.TensorArray(tf.int32, 9),) if with_array else ()
            start = {"x": tf.zeros([2, 1]), "count": tf.constant(0)}
            return tf.constant(says or [False, False]), tf.constant([1.0, 2.0]), (start, *array)

        def step(self, time, inputs, state, name=None):
            x = state[0]["x"] + tf.expand_dims(inputs, 1)
            outputs = {"a": x, "b": tf.fill([2], time + 1)}
            array = [each.write(time, time * 10) for each in state[1:]]
            state = ({"x": x, "count": state[0]["count"] + 1}, *array)
            return outputs, state, inputs + 1.0, tf.gather(tf.constant(ends), time)

        def finalize(self, outputs, final_state, sequence_lengths):
            if not finalized:
                return super().finalize(outputs, final_state, sequence_lengths)
            return {"longest": tf.reduce_max(outputs["a"], 0)}, sequence_lengths

    if track is not None:
        Own.tracks_own_finished = property(lambda self: track)
    return Own()


def own_decoders(tf, stage):
    decode = tf.contrib.seq2seq.dynamic_decode
    wavering = [[True, False], [False, False], [False, False], [True, True], [True, True]]

    def case(options=None, **kinds):
        def build():
            outputs, state, lengths = decode(_decoder(tf, wavering, **kinds), **(options or {}))
            if kinds.get("with_array"):
                state = (state[0], state[1].stack())
            return outputs, state, lengths

        return build

    stage.each(
        {
            "plain": case(),
            "all ended": case({"maximum_iterations": 3}, says=[True, True]),
            "zeros after the end": case({"impute_finished": True}),
            "finalized": case(finalized=True),
            "array": case({"impute_finished": True}, with_array=True),
            "float": case({"maximum_iterations": 1.5}),
        },
        graph="sum",
    )
    base = tf.contrib.seq2seq.Decoder
    stage.attempts(
        lambda: base(),
        lambda: type("Half", (base,), {"initialize": None, "step": None})().batch_size,
        lambda: type("Half", (base,), {"initialize": None, "step": None})().output_size,
        lambda: type("Half", (base,), {"initialize": None, "step": None})().output_dtype,
    )


_GRID = {"feature_size": 2, "frequency_skip": 1}
_TWO_BLOCKS = {
    "num_frequency_blocks": [2, 1],
    "start_freqindex_list": [0, 3],
    "end_freqindex_list": [3, 5],
}


def _stepped(tf, make, size=5, steps=2, known=True):
    """A function that builds a cell and calls it `count` times, for its output, state and sizes."""

    def build():
        with tf.variable_scope("v", initializer=tf.random_uniform_initializer(-0.5, 0.5, 3)):
            cell = make()
            x = tf.constant(np.arange(2 * size, dtype=np.float32).reshape(2, size) / 10)
            x = x if known else tf.placeholder_with_default(x, [None, None])
            state = cell.zero_state(2, tf.float32)
            for _ in range(steps):
                output, state = cell(x, state)
            return output, state, tf.constant(str((cell.output_size, cell.state_size)))

    return build


def windows_of_columns(tf, stage):
    of = tf.contrib.rnn
    stepped = functools.partial(_stepped, tf)

    stage.each(
        {
            "two blocks": stepped(lambda: of.GridLSTMCell(1, **_GRID, **_TWO_BLOCKS)),
            "unknown": stepped(lambda: of.GridLSTMCell(1, **_GRID, **_TWO_BLOCKS), known=False),
            "other counts": stepped(
                lambda: of.GridLSTMCell(
                    1,
                    num_frequency_blocks=[1],
                    start_freqindex_list=[0, 2],
                    end_freqindex_list=[2, 4],
                    **_GRID,
                )
            ),
            "several counts": stepped(
                lambda: of.GridLSTMCell(1, num_frequency_blocks=[1, 2], **_GRID)
            ),
            "wrong counts": stepped(lambda: of.GridLSTMCell(1, num_frequency_blocks=[2], **_GRID)),
        },
        graph="sum",
    )


def gradients_beside_rounding(tf, stage):
    """Optimizer, gradient and summary ops keep reading the original tensors."""
    for name, options in (
        ("trained", {}),
        ("bits", {"weight_bits": 4, "activation_bits": 3, "symmetric": True, "quant_delay": 2}),
        ("scoped", {"scope": "net", "freeze_bn_delay": 1}),
    ):
        with tf.Graph().as_default() as graph, tf.Session() as session:
            stage.say(name)
            x = tf.placeholder(tf.float32, [2, 4], "x")
            with tf.variable_scope("net"):
                y = tf.contrib.layers.fully_connected(
                    x, 2, tf.nn.relu6, weights_initializer=tf.constant_initializer(0.3), scope="one"
                )
            with tf.name_scope("RMSProp"):
                kept = tf.multiply(y, 2.0, name="kept")
            tf.summary.histogram("HistogramSummary", y)
            loss = tf.reduce_sum(tf.reshape(y, [-1]) * 0.5, name="loss")
            slopes = tf.gradients(loss, tf.trainable_variables())
            with stage.failing():
                tf.contrib.quantize.experimental_create_training_graph(graph, **options)
                stage.brief_graph(names=False)
                session.run(tf.global_variables_initializer())
                for value in ([[1.0, 2.0, 3.0, 4.0], [0.5, 0.1, 0.2, 0.3]], np.ones([2, 4])):
                    stage.say(session.run([loss, kept, slopes], {x: value}))
