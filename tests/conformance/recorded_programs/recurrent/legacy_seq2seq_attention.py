"""tf.contrib.legacy_seq2seq: attention decoders, one and several heads, bucketed models."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    seq2seq = tf.contrib.legacy_seq2seq
    cells = tf.nn.rnn_cell
    rng = np.random.RandomState(6)
    feed = {}

    def given(name, shape, value):
        holder = tf.placeholder(tf.as_dtype(value.dtype), shape, name=name)
        feed[holder] = value
        return holder

    memory = given("memory", [None, None, 4], rng.randn(2, 3, 4).astype("f"))
    vectors = [given(f"v{n}", [None, 3], rng.randn(2, 3).astype("f")) for n in range(3)]
    words = [given(f"w{n}", [None], rng.randint(0, 5, 2).astype("i4")) for n in range(4)]
    answers = [given(f"a{n}", [None], rng.randint(0, 4, 2).astype("i4")) for n in range(4)]
    weights = [given(f"weight{n}", [None], rng.rand(2).astype("f")) for n in range(4)]
    feed_previous = given("feed_previous", [], np.array(True))
    zeros = tf.zeros([2, 4])
    lstm = cells.LSTMStateTuple(zeros, zeros + 1.0)
    found = {
        "plain": seq2seq.attention_decoder(vectors, zeros, memory, cells.GRUCell(4)),
        "heads": seq2seq.attention_decoder(
            vectors,
            lstm,
            tf.reshape(memory, [2, 3, 4]),
            cells.BasicLSTMCell(4),
            output_size=3,
            num_heads=2,
            loop_function=lambda prev, i: prev * float(i),
            scope="heads",
            initial_state_attention=True,
        ),
        "symbols": seq2seq.embedding_attention_decoder(
            answers, zeros, memory, cells.GRUCell(4), 4, 3, feed_previous=True, output_size=4
        ),
    }
    w = tf.get_variable("proj_w", [4, 4])
    b = tf.get_variable("proj_b", [4])
    for number, previous in enumerate([False, True, feed_previous]):
        with tf.variable_scope(f"model_{number}"):
            found[f"model {number}"] = seq2seq.embedding_attention_seq2seq(
                words, answers, cells.BasicLSTMCell(4), 5, 4, 3, feed_previous=previous
            )
            found[f"projected {number}"] = seq2seq.embedding_attention_seq2seq(
                words,
                answers,
                cells.MultiRNNCell([cells.GRUCell(4), cells.GRUCell(4)]),
                5,
                4,
                3,
                num_heads=2,
                output_projection=(w, b),
                feed_previous=previous,
                initial_state_attention=True,
                scope="projected",
            )

    def model(read, said):
        return seq2seq.embedding_attention_seq2seq(read, said, cells.GRUCell(4), 5, 4, 3)

    outputs, losses = seq2seq.model_with_buckets(
        words, answers, answers, weights, [(2, 2), (4, 3)], model
    )
    with tf.variable_scope("each"):
        _, by_example = seq2seq.model_with_buckets(
            words,
            answers,
            answers,
            weights,
            [(1, 2)],
            lambda x, y: seq2seq.embedding_rnn_seq2seq(x, y, cells.GRUCell(3), 5, 4, 3),
            per_example_loss=True,
            softmax_loss_function=lambda labels, logits: tf.reduce_max(logits, 1),
            name="each",
        )
    total = tf.add_n(losses) + seq2seq.sequence_loss(found["model 2"][0], answers, weights)
    train = tf.train.AdamOptimizer(0.05).minimize(total)
    other = dict(feed)
    other[feed_previous] = np.array(False)
    steps = [
        ("initialize", tf.global_variables_initializer()),
        ("found", [found[k] for k in sorted(found)], feed),
        ("otherwise", [found[k] for k in sorted(found) if k.endswith("2")], other),
        ("buckets", [outputs, losses, by_example], feed),
    ]
    for number in range(3):
        steps += [(f"train {number}", train, feed), (f"total {number}", total, feed)]
    return {"steps": steps}
