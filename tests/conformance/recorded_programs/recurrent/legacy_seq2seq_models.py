"""tf.contrib.legacy_seq2seq: models without attention, fed with inputs or their previous output, losses."""

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

    vectors = [given(f"v{n}", [2, 3], rng.randn(2, 3).astype("f")) for n in range(3)]
    said = [given(f"d{n}", [None, 3], rng.randn(2, 3).astype("f")) for n in range(2)]
    words = [given(f"w{n}", [None], rng.randint(0, 5, 2).astype("i4")) for n in range(3)]
    answers = [given(f"a{n}", [2], rng.randint(0, 4, 2).astype("i4")) for n in range(3)]
    feed_previous = given("feed_previous", [], np.array(True))
    found = {}
    found["decoder"] = seq2seq.rnn_decoder(said, tf.zeros([2, 4]), cells.GRUCell(4), scope="plain")
    found["looped"] = seq2seq.rnn_decoder(
        said, tf.zeros([2, 3]), cells.BasicRNNCell(3), lambda prev, i: prev * float(i)
    )
    found["basic"] = seq2seq.basic_rnn_seq2seq(vectors, said, cells.BasicLSTMCell(4))
    found["tied"] = seq2seq.tied_rnn_seq2seq(vectors, said, cells.GRUCell(4))
    found["tied fed"] = seq2seq.tied_rnn_seq2seq(
        vectors, said, cells.GRUCell(3), lambda prev, _: prev, scope="fed"
    )
    w = tf.get_variable("proj_w", [4, 4])
    b = tf.get_variable("proj_b", [4])
    with tf.variable_scope("decoders"):
        found["embedding decoder"] = seq2seq.embedding_rnn_decoder(
            answers, tf.zeros([2, 4]), cells.GRUCell(4), 4, 3, (w, b), feed_previous=True
        )
    for number, previous in enumerate([False, True, feed_previous]):
        with tf.variable_scope(f"embedding_{number}"):
            found[f"embedding {number}"] = seq2seq.embedding_rnn_seq2seq(
                words, answers, cells.BasicLSTMCell(4), 5, 4, 3, feed_previous=previous
            )
            found[f"projected {number}"] = seq2seq.embedding_rnn_seq2seq(
                words, answers, cells.GRUCell(4), 5, 4, 3, (w, b), previous, scope="projected"
            )
            found[f"one cell {number}"] = seq2seq.embedding_tied_rnn_seq2seq(
                words, answers, cells.BasicLSTMCell(4), 5, 3, 4, feed_previous=previous
            )
            several = seq2seq.one2many_rnn_seq2seq(
                words,
                {"first": answers, "second": answers[:2]},
                cells.GRUCell(4),
                {"first": cells.GRUCell(4), "second": cells.GRUCell(4)},
                5,
                {"first": 4, "second": 6},
                3,
                feed_previous=previous,
            )
            found[f"several {number}"] = [
                several[k][n] for k in range(2) for n in sorted(several[k])
            ]
    with tf.variable_scope("double", dtype=tf.float64):
        found["double"] = seq2seq.embedding_rnn_seq2seq(
            words, answers, cells.GRUCell(4), 5, 4, 3, dtype=tf.float64
        )
    weights = [given(f"weight{n}", [2], rng.rand(2).astype("f")) for n in range(3)]
    logits = found["embedding 0"][0]
    losses = [
        seq2seq.sequence_loss(logits, answers, weights),
        seq2seq.sequence_loss(logits, answers, weights, False, False, name="sum"),
        seq2seq.sequence_loss_by_example(logits, answers, weights),
        seq2seq.sequence_loss_by_example(
            logits,
            answers,
            weights,
            softmax_loss_function=lambda labels, logits: tf.reduce_sum(logits, 1),
        ),
        seq2seq.sequence_loss(found["embedding 2"][0], answers, weights, name="either"),
        seq2seq.sequence_loss(found["one cell 2"][0], answers, weights, name="tied"),
    ]
    train = tf.train.GradientDescentOptimizer(0.5).minimize(tf.add_n([losses[0], *losses[4:]]))
    other = dict(feed)
    other[feed_previous] = np.array(False)
    return {
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("found", [found[k] for k in sorted(found)], feed),
            ("otherwise", [found[k] for k in sorted(found) if k.endswith("2")], other),
            ("losses", losses, feed),
            ("train", train, feed),
            ("losses after", losses, other),
        ]
    }
