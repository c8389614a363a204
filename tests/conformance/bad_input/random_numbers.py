"""Random ops: shapes, bounds and parameters that cannot be."""


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


CASES = {
    "static_shape_that_is_a_number": lambda tf: draw(tf, 3),
    "shape_with_none": lambda tf: draw(tf, [None, 2]),
    "unsigned_integers": lambda tf: draw(tf, [2], maxval=5, dtype=tf.uint8),
    "static_minval_that_is_a_vector": lambda tf: draw(
        tf, [2], minval=[1], maxval=9, dtype=tf.int32
    ),
    "static_samples_that_are_a_vector": lambda tf: tf.multinomial([[1.0]], [1]),
    "gamma_parameters_that_do_not_broadcast": lambda tf: tf.random_gamma(
        [2], [1.0, 2.0], [1.0, 2.0, 3.0]
    ),
    "poisson_of_bytes": lambda tf: tf.random_poisson(1.0, [2], dtype=tf.uint8),
    "crop_of_another_rank": lambda tf: tf.random_crop([[1, 2], [3, 4]], [1], seed=1),
    "stateless_seed_of_one": lambda tf: tf.random.stateless_uniform([2], [1]),
    "stateless_integers_without_maxval": lambda tf: tf.random.stateless_uniform(
        [2], [1, 2], dtype=tf.int32
    ),
    "bounds_that_bound_nothing": lambda tf: bounded(
        tf, minvals=-float("inf"), maxvals=float("inf")
    ),
    "deviation_of_zero_between_bounds": lambda tf: bounded(tf, stdevs=[1.0, 0.0]),
    "means_of_more_rows_than_are_drawn": lambda tf: bounded(tf, means=[0.0, 1.0, 2.0]),
    "bounds_as_a_matrix": lambda tf: bounded(tf, maxvals=[[1.0]]),
    "mean_that_is_no_number": lambda tf: bounded(tf, means=float("nan")),
    "shape_of_lists_of_two_lengths": lambda tf: tf.random_uniform([[1, 2], [3]], seed=1),
}
