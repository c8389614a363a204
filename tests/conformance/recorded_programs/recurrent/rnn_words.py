"""Numbers of words as inputs: cells that look them up, projections, a state from an encoder, as translators have it."""


def build(tf):
    cells, contrib = tf.nn.rnn_cell, tf.contrib.rnn
    words = tf.placeholder(tf.int32, [None, 4], name="words")
    steps = tf.unstack(words, axis=1)
    embedding = contrib.EmbeddingWrapper(cells.GRUCell(3), embedding_classes=6, embedding_size=2)
    coded, code = tf.nn.static_rnn(embedding, steps, dtype=tf.float32, scope="encoder")
    ended, _ = tf.nn.static_rnn(
        embedding,
        steps,
        dtype=tf.float32,
        sequence_length=tf.fill([tf.size(words) // 4], 2),
        scope=tf.VariableScope(tf.AUTO_REUSE, "encoder"),
    )
    decoder = contrib.OutputProjectionWrapper(cells.GRUCell(3), 6)
    table = tf.get_variable("table", [6, 2], initializer=tf.random_normal_initializer(seed=1))
    inputs = tf.nn.embedding_lookup(table, words)
    scores, last = tf.nn.dynamic_rnn(decoder, inputs, initial_state=code, scope="decoder")
    narrow = contrib.InputProjectionWrapper(cells.BasicRNNCell(2), 2)
    both, _ = tf.nn.bidirectional_dynamic_rnn(narrow, narrow, inputs, dtype=tf.float32)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=scores)
    loss = tf.reduce_mean(losses) + tf.reduce_sum(both[0] * both[1])
    gradients = tf.gradients(loss, tf.trainable_variables())
    dense = [tf.convert_to_tensor(g) for g in gradients]
    feed = {words: [[0, 1, 2, 3], [5, 5, 4, 0], [1, 3, 1, 3]]}
    return {
        "facts": {
            "variables": [v.name for v in tf.global_variables()],
            "sparse": [type(g).__name__ for g in gradients],
        },
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("outputs", [coded, code, ended, scores, last, both], feed),
            ("gradients", [loss, dense], feed),
        ],
    }
