"""raw_rnn that feeds its words back, frozen and served; trained through a dynamic_rnn of the same cell."""

FEEDS = {"code": [[0.5, -1.0, 0.25], [1.0, 2.0, -0.5]], "words": [[1, 2, 3, 0], [4, 4, 0, 0]]}


def build(tf):
    code = tf.placeholder(tf.float32, [None, 3], name="code")
    words = tf.placeholder(tf.int32, [None, 4], name="words")
    table = tf.get_variable("table", [5, 2])
    out = tf.get_variable("out", [3, 5])
    cell = tf.nn.rnn_cell.GRUCell(3)
    with tf.variable_scope("writer") as scope:
        before = tf.pad(words[:, :-1], [[0, 0], [1, 0]])
        outputs, _ = tf.nn.dynamic_rnn(
            cell, tf.nn.embedding_lookup(table, before), initial_state=code, scope=scope
        )
    logits = tf.tensordot(outputs, out, 1)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits)
    loss = tf.reduce_mean(losses, name="loss")
    train = tf.train.AdagradOptimizer(0.3).minimize(loss)
    rows = tf.shape(code)[0]

    def write(time, output, state, loop_state):
        """The most likely next word; a row ends with word 0, or after six."""
        if output is None:
            first = tf.zeros([rows], tf.int32)
            start = tf.nn.embedding_lookup(table, first)
            return tf.fill([rows], False), start, code, tf.zeros([], tf.int32), None
        word = tf.argmax(tf.matmul(output, out), 1, output_type=tf.int32)
        ended = tf.logical_or(tf.equal(word, 0), time >= 6)
        return ended, tf.nn.embedding_lookup(table, word), state, word, None

    with tf.variable_scope("writer", reuse=True) as scope:
        written, last, _ = tf.nn.raw_rnn(cell, write, scope=scope)
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {"written": tf.transpose(written.stack()), "last": last},
    }
