"""A tagger: unary scores of a dense layer, a linear chain over them, trained, decoded."""

import numpy as np


def build(tf):
    crf = tf.contrib.crf
    random = np.random.RandomState(3)
    words = random.randn(3, 5, 4).astype("f")
    tags = random.randint(0, 3, (3, 5)).astype("i")
    lengths = tf.constant([5, 3, 0], name="lengths")
    kernel = tf.get_variable("kernel", [4, 3])
    scores = tf.reshape(tf.matmul(tf.reshape(words, [-1, 4]), kernel), [3, 5, 3])
    likelihood, transitions = crf.crf_log_likelihood(scores, tf.constant(tags), lengths)
    loss = tf.reduce_mean(-likelihood)
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    decoded = crf.crf_decode(scores, transitions, lengths)

    def by_numpy(session):
        values, matrix = session.run([scores, transitions])
        best, score = crf.viterbi_decode(values[0], matrix)
        return [np.array(best), score]

    steps = [("init", tf.global_variables_initializer()), ("before", [loss, likelihood, decoded])]
    steps += [(f"train {i}", train) for i in range(4)]
    steps += [("after", [loss, transitions, kernel]), ("best", decoded), ("numpy", by_numpy)]
    return {
        "steps": steps,
        "facts": {"shapes": [str(likelihood.shape)] + [str(t.shape) for t in decoded]},
    }
