"""Workloads on alignments, CRFs and decoders, for both sides; also run under Python 3.7."""

import numpy as np

from ci.commands.benchmarks.recurrent import fixed_initializer
from ci.commands.benchmarks.workloads import Step, open_session, steady


@steady
def ctc_step(tf):
    """The CTC loss and its gradient: 200 steps of 30 classes, 30 labels, batch 32."""
    random = np.random.RandomState(0)
    logits = tf.placeholder(tf.float32, [200, 32, 30])
    positions = np.array([(b, i) for b in range(32) for i in range(30)])
    letters = tf.constant(random.randint(0, 29, len(positions)), tf.int32)
    labels = tf.SparseTensor(positions, letters, [32, 30])
    loss = tf.reduce_mean(tf.nn.ctc_loss(labels, logits, [200] * 32))
    slope = tf.gradients(loss, logits)[0]
    session = open_session(tf)
    feed = {logits: random.randn(200, 32, 30).astype(np.float32)}
    return Step(lambda: session.run(slope.op, feed), lambda: session.run(loss, feed))


@steady
def ctc_beams(tf):
    """A beam search over 100 steps of 30 classes, batch 8, beams of 100 prefixes."""
    logits = tf.placeholder(tf.float32, [100, 8, 30])
    _, scores = tf.nn.ctc_beam_search_decoder(logits, [100] * 8)
    session = open_session(tf)
    feed = {logits: np.random.RandomState(0).randn(100, 8, 30).astype(np.float32)}
    return Step(lambda: session.run(scores, feed), lambda: session.run(scores, feed).sum())


@steady
def chain_of_tags(tf):
    """The likelihood of a linear chain and its gradient: 50 steps, 20 tags, batch 64."""
    random = np.random.RandomState(0)
    scores = tf.placeholder(tf.float32, [64, 50, 20])
    tags = tf.constant(random.randint(0, 20, (64, 50)), tf.int32)
    matrix = tf.constant(random.randn(20, 20).astype(np.float32))
    likelihood, _ = tf.contrib.crf.crf_log_likelihood(scores, tags, tf.fill([64], 50), matrix)
    loss = tf.reduce_mean(-likelihood)
    slope = tf.gradients(loss, scores)[0]
    session = open_session(tf)
    feed = {scores: random.randn(64, 50, 20).astype(np.float32)}
    return Step(lambda: session.run(slope.op, feed), lambda: session.run(loss, feed))


def translator(tf):
    """A decoder with Luong's attention over 20 places, 128 units, 1,000 words, batch 32."""
    s2s = tf.contrib.seq2seq
    random = np.random.RandomState(0)
    memory = tf.placeholder(tf.float32, [32, 20, 128])
    words = tf.placeholder(tf.int32, [32, 20])
    with tf.variable_scope("decode", initializer=fixed_initializer(tf, random)):
        table = tf.get_variable("table", [1000, 64])
        cell = tf.nn.rnn_cell.BasicLSTMCell(128)
        out = tf.layers.Dense(1000, use_bias=False)

        def attentive(memory, rows):
            with tf.variable_scope("memory", reuse=tf.AUTO_REUSE):
                mechanism = s2s.LuongAttention(128, memory)
            wrapped = s2s.AttentionWrapper(
                cell, mechanism, attention_layer_size=128, name="wrapped"
            )
            return wrapped, wrapped.zero_state(rows, tf.float32)

        wrapped, state = attentive(memory, 32)
        helper = s2s.TrainingHelper(tf.nn.embedding_lookup(table, words), [20] * 32)
        decoder = s2s.BasicDecoder(wrapped, helper, state, out)
        outputs, _, _ = s2s.dynamic_decode(decoder, scope="steps")
        loss = s2s.sequence_loss(outputs.rnn_output, words, tf.ones([32, 20]))
    with tf.variable_scope("decode", reuse=True):
        wrapped, state = attentive(s2s.tile_batch(memory, 5), 160)
        decoder = s2s.BeamSearchDecoder(wrapped, table, [1] * 32, 0, state, 5, out)
        decoded, _, _ = s2s.dynamic_decode(decoder, maximum_iterations=20, scope="steps")
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    train = tf.train.GradientDescentOptimizer(0.1).apply_gradients(zip(gradients, variables))
    feed = {
        memory: random.randn(32, 20, 128).astype(np.float32),
        words: random.randint(2, 1000, (32, 20)),
    }
    return open_session(tf), train, loss, decoded.predicted_ids, feed


@steady
def attention_decoder(tf):
    session, train, loss, _, feed = translator(tf)
    return Step(lambda: session.run(train, feed), lambda: session.run(loss, feed))


@steady
def beam_decoder(tf):
    session, _, _, ids, feed = translator(tf)
    return Step(lambda: session.run(ids, feed), lambda: session.run(ids, feed).shape[0])
