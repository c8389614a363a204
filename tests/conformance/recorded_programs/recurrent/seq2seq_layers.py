"""A layered translator as in programs: attention in the first layer, wrapped cells, a custom Helper and Decoder."""

import numpy as np


def build(tf):
    s2s = tf.contrib.seq2seq
    rnn = tf.contrib.rnn
    random = np.random.RandomState(14)
    source = tf.placeholder(tf.int32, [None, None], name="source")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    target = tf.placeholder(tf.int32, [None, None], name="target")
    rows = tf.size(lengths)
    table = tf.get_variable("embedding", [9, 5])

    def layers(count):
        cells = [rnn.DropoutWrapper(rnn.BasicLSTMCell(5), 0.9, seed=i) for i in range(count)]
        return rnn.MultiRNNCell(cells[:1] + [rnn.ResidualWrapper(c) for c in cells[1:]])

    (forward, backward), states = tf.nn.bidirectional_dynamic_rnn(
        layers(1),
        layers(1),
        tf.nn.embedding_lookup(table, source),
        lengths,
        dtype=tf.float32,
        parallel_iterations=1,
    )
    memory = tf.concat([forward, backward], -1)
    encoded = (states[0][0], states[1][0])

    class Attentive(tf.nn.rnn_cell.MultiRNNCell):
        """The lowest cell attends; the others receive its attention, concatenated to their inputs."""

        def __call__(self, inputs, state, scope=None):
            with tf.variable_scope(scope or "attentive"):
                with tf.variable_scope("cell_0"):
                    output, first = self._cells[0](inputs, state[0])
                after = [first]
                for i, cell in enumerate(self._cells[1:]):
                    with tf.variable_scope(f"cell_{i + 1}"):
                        joined = tf.concat([output, first.attention], -1)
                        output, new = cell(joined, state[i + 1])
                        after.append(new)
            return output, tuple(after)

    def decoder_cell(memory, lengths, encoded, rows):
        attention = s2s.BahdanauAttention(6, memory, lengths, normalize=True)
        bottom = s2s.AttentionWrapper(
            rnn.BasicLSTMCell(5), attention, output_attention=False, alignment_history=False
        )
        cell = Attentive([bottom, rnn.GRUCell(5)])
        first = bottom.zero_state(rows, tf.float32).clone(cell_state=encoded[0])
        return cell, (first, encoded[1].h)

    out = tf.layers.Dense(9, use_bias=False, name="out")

    class Peeking(s2s.TrainingHelper):
        """A helper whose every second input is the embedding of the sampled id."""

        def next_inputs(self, time, outputs, state, sample_ids, name=None):
            finished, inputs, state = super().next_inputs(time, outputs, state)
            drawn = tf.nn.embedding_lookup(table, sample_ids)
            return finished, tf.cond(tf.equal(time % 2, 1), lambda: drawn, lambda: inputs), state

    class Scaled(s2s.BasicDecoder):
        """A decoder with scaled logits and its own stopping rule."""

        def step(self, time, inputs, state, name=None):
            outputs, state, inputs, finished = super().step(time, inputs, state, name)
            outputs = s2s.BasicDecoderOutput(outputs.rnn_output * 2.0, outputs.sample_id)
            return outputs, state, inputs, finished

        def finalize(self, outputs, final_state, sequence_lengths):
            return outputs, final_state + (sequence_lengths,)

    with tf.variable_scope("decoding") as scope:
        cell, start = decoder_cell(memory, lengths, encoded, rows)
        given = tf.pad(target[:, :-1], [[0, 0], [1, 0]], constant_values=1)
        helper = Peeking(tf.nn.embedding_lookup(table, given), tf.fill([rows], tf.shape(target)[1]))
        outputs, last, counted = s2s.dynamic_decode(
            Scaled(cell, helper, start, out), swap_memory=True, scope=scope
        )
    weights = tf.ones_like(target, tf.float32)
    loss = s2s.sequence_loss(outputs.rnn_output, target, weights)
    train = tf.train.GradientDescentOptimizer(0.3).minimize(loss)
    with tf.variable_scope("decoding", reuse=True) as scope:
        tiled = s2s.tile_batch((memory, lengths, encoded), 2)
        cell, start = decoder_cell(*tiled, rows=rows * 2)
        beams = s2s.BeamSearchDecoder(
            cell, table, tf.fill([rows], 1), 0, start, 2, out, 0.5, coverage_penalty_weight=0.3
        )
        found, _, _ = s2s.dynamic_decode(beams, maximum_iterations=4, scope=scope)
    feed = {
        source: random.randint(2, 9, (3, 5)),
        lengths: [5, 2, 4],
        target: random.randint(2, 9, (3, 4)),
    }
    values = [v.name for v in tf.trainable_variables()]
    return {
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("before", [loss, outputs, last[-1], counted], feed),
            ("train", [train, loss], feed),
            ("again", [train, loss], feed),
            ("beams", found, feed),
        ],
        "facts": {"variables": values, "shapes": [str(t.shape) for t in outputs]},
    }
