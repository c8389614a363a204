"""Random ops: invalid shapes, bounds and parameters."""


def draw(tf, shape, **kwargs):
    return tf.random_uniform(shape, seed=1, **kwargs)


def shape_without_a_count(tf):
    shape = tf.placeholder(tf.int64)
    return tf.truncated_normal(shape, seed=1), {shape: [10**5] * 4}


def minval_that_is_a_vector(tf):
    low = tf.placeholder(tf.int32)
    return draw(tf, [2], minval=low, maxval=9, dtype=tf.int32), {low: [1]}


def maxval_that_is_a_vector(tf):
    high = tf.placeholder(tf.int32)
    return draw(tf, [2], maxval=high, dtype=tf.int32), {high: [5]}


def logits_that_are_a_vector(tf):
    logits = tf.placeholder(tf.float32)
    return tf.multinomial(logits, 2), {logits: [1.0]}


def no_classes(tf):
    logits = tf.placeholder(tf.float32, [1, None])
    return tf.random.categorical(logits, 2), {logits: [[]]}


def fewer_than_no_samples(tf):
    samples = tf.placeholder(tf.int32)
    return tf.multinomial([[1.0]], samples), {samples: -1}


def samples_that_are_a_vector(tf):
    samples = tf.placeholder(tf.int32)
    return tf.multinomial([[1.0]], samples), {samples: [1]}


def stateless_seed_of_three(tf):
    seed = tf.placeholder(tf.int32)
    return tf.random.stateless_normal([2], seed), {seed: [1, 2, 3]}


def bounded(tf, **changed):
    given = {"means": 0.0, "stdevs": 1.0, "minvals": -1.0, "maxvals": 1.0, "shape": [2], **changed}
    return tf.raw_ops.ParameterizedTruncatedNormal(seed=1, **given)


def bounds_as_a_matrix_when_run(tf):
    maxvals = tf.placeholder(tf.float32)
    return bounded(tf, maxvals=maxvals), {maxvals: [[1.0]]}


def bounded_by_a_shape_of_no_vector(tf):
    shape = tf.placeholder(tf.int32)
    return bounded(tf, shape=shape), {shape: [[2]]}


def gamma_slopes_of_other_lengths(tf):
    alpha, sample = (tf.placeholder_with_default(v, None) for v in ([1.0, 2.0], [1.0, 2.0, 3.0]))
    return tf.raw_ops.RandomGammaGrad(alpha=alpha, sample=sample)


def stateless_integers_of_a_matrix_shape(tf):
    given = [tf.placeholder_with_default(v, None) for v in ([[2]], [1])]
    return tf.random.stateless_uniform(given[0], [1, 2], 1, given[1], tf.int32)
