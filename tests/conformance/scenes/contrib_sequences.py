"""tf.contrib's legacy seq2seq models: feed_previous as a bool or a tensor, with and without projections."""

import numpy as np

from tests.conformance.scenes.contrib_distributions import _sum_up

STEPS = 3


def _made(tf):
    """Lists of input symbols, target symbols, and vectors."""
    symbols = [tf.constant([1, 0]), tf.constant([2, 3]), tf.constant([4, 1])]
    vectors = [tf.constant(np.float32([[0.1, -0.2], [0.5, 0.3]]) * n) for n in range(1, STEPS + 1)]
    return symbols, vectors


def _tell(tf, stage, name, function, kinds=(True,)):
    for is_fed in kinds:
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(1)
            fed = tf.placeholder(tf.bool, [], "fed")
            stage.say(name, is_fed)
            with stage.failing():
                initializer = tf.random_uniform_initializer(-1.0, 1.0, seed=2)
                with tf.variable_scope("model", initializer=initializer):
                    found = function(fed if is_fed else None)
                session.run(tf.global_variables_initializer())
                for value in (False, True)[: 1 + is_fed]:
                    stage.say(session.run(found, {fed: value}))
            stage.say([(v.op.name, str(v.shape)) for v in tf.trainable_variables()])
            _sum_up(tf, stage)


def models(tf, stage):
    of = tf.contrib.legacy_seq2seq
    gru = lambda size=3: tf.nn.rnn_cell.GRUCell(size)  # noqa: E731
    lstm = lambda: tf.nn.rnn_cell.BasicLSTMCell(3)  # noqa: E731

    def basic(fed):
        _, vectors = _made(tf)
        return of.basic_rnn_seq2seq(vectors, vectors[::-1], lstm(), scope="own")

    def tied(fed):
        _, vectors = _made(tf)
        return of.tied_rnn_seq2seq(
            vectors, vectors[:2], gru(2), loop_function=lambda out, step: out * (step + 1.0)
        )

    def embedded(fed):
        symbols, _ = _made(tf)
        feed = True if fed is None else fed
        return of.embedding_rnn_seq2seq(symbols, symbols[:2], lstm(), 5, 6, 2, feed_previous=feed)

    def embedded_projected(fed):
        symbols, _ = _made(tf)
        projection = tf.ones([3, 6]) * tf.range(6.0), tf.range(6.0)
        feed = False if fed is None else fed
        return of.embedding_rnn_seq2seq(
            symbols, symbols[:2], gru(), 5, 6, 2, output_projection=projection, feed_previous=feed
        )

    def one_embedding(fed):
        symbols, _ = _made(tf)
        feed = True if fed is None else fed
        return of.embedding_tied_rnn_seq2seq(symbols, symbols[:2], lstm(), 5, 2, feed_previous=feed)

    def one_embedding_projected(fed):
        symbols, _ = _made(tf)
        projection = tf.eye(3, 5), tf.range(5.0)
        feed = False if fed is None else fed
        return of.embedding_tied_rnn_seq2seq(
            symbols, symbols, gru(), 5, 2, 4, output_projection=projection, feed_previous=feed
        )

    def many(fed):
        symbols, _ = _made(tf)
        feed = True if fed is None else fed
        return of.one2many_rnn_seq2seq(
            symbols,
            {"a": symbols[:2], "b": symbols},
            gru(),
            {"a": gru(), "b": gru()},
            5,
            {"a": 5, "b": 6},
            2,
            feed_previous=feed,
        )

    def attending(fed):
        symbols, _ = _made(tf)
        feed = True if fed is None else fed
        return of.embedding_attention_seq2seq(
            symbols, symbols[:2], lstm(), 5, 6, 2, num_heads=2, feed_previous=feed
        )

    def attending_projected(fed):
        symbols, _ = _made(tf)
        projection = tf.ones([3, 6]), tf.range(6.0)
        return of.embedding_attention_seq2seq(
            symbols,
            symbols[:2],
            gru(),
            5,
            6,
            2,
            output_projection=projection,
            feed_previous=True if fed is None else fed,
            initial_state_attention=True,
        )

    for function in (basic, tied, embedded):
        _tell(tf, stage, function.__name__, function, [False])
    for function in (embedded, embedded_projected, one_embedding, one_embedding_projected):
        _tell(tf, stage, function.__name__, function)
    for function in (many, attending, attending_projected):
        _tell(tf, stage, function.__name__, function)


def trees(tf, stage):
    of = tf.contrib.seq2seq
    ids = np.int32([[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 1], [2, 3]]])
    parents = np.int32([[[0, 0], [0, 0]], [[1, 0], [0, 1]], [[1, 1], [0, 0]]])
    found = [of.gather_tree(ids, parents, [3, 2], 9), of.gather_tree(ids, parents, [1, 3], 7)]
    stage.say([(each.name, str(each.shape)) for each in found])
    with tf.Session() as session:
        stage.say(session.run(found))
        stage.attempts(lambda: session.run(of.gather_tree(ids, parents + 5, [3, 3], 9)))


def scattered_embeddings(tf, stage):
    of, values = tf.contrib.slim, tf.constant([[1, 2], [3, 1]], tf.int64)
    whole = tf.constant([0.5, 1.0, 2.0, 4.0, 8.0])
    parts = [whole[:3], whole[3:]]
    words = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], ["a", "b", "a"], [4, 2])
    lookup, combined = of.scattered_embedding_lookup, of.scattered_embedding_lookup_sparse
    with tf.Session() as session:
        stage.attempts(
            lambda: session.run(lookup(parts[::-1], values, 3)),
            lambda: lookup(whole, values, 0),
            lambda: lookup(whole, values, None),
            lambda: lookup(tf.placeholder(tf.float32), values, 2),
            lambda: session.run(combined(whole, words, 2, "sum", "b", "other", 7)),
            lambda: combined(whole, words, 2, "max"),
            lambda: combined(whole, values, 2),
        )
