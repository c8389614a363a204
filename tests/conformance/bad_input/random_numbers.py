"""Random ops: shapes, bounds and parameters that cannot be."""


def draw(tf, shape, **kwargs):
    return tf.random_uniform(shape, seed=1, **kwargs)


def shape_that_is_a_number(tf):
    shape = tf.placeholder(tf.int32)
    return tf.random_normal(shape, seed=1), {shape: 3}


def shape_without_a_count(tf):
    shape = tf.placeholder(tf.int64)
    return tf.truncated_normal(shape, seed=1), {shape: [10**5] * 4}


def static_shape_that_is_a_number(tf):
    return draw(tf, 3)


def shape_of_floats(tf):
    return draw(tf, [3.0])


def shape_with_none(tf):
    return draw(tf, [None, 2])


def unsigned_integers(tf):
    return draw(tf, [2], maxval=5, dtype=tf.uint8)


def empty_range(tf):
    return draw(tf, [2], minval=6, maxval=6, dtype=tf.int64)


def minval_that_is_a_vector(tf):
    low = tf.placeholder(tf.int32)
    return draw(tf, [2], minval=low, maxval=9, dtype=tf.int32), {low: [1]}


def maxval_that_is_a_vector(tf):
    high = tf.placeholder(tf.int32)
    return draw(tf, [2], maxval=high, dtype=tf.int32), {high: [5]}


def static_minval_that_is_a_vector(tf):
    return draw(tf, [2], minval=[1], maxval=9, dtype=tf.int32)


def minval_of_another_type(tf):
    return draw(tf, [2], minval=1.5, maxval=9, dtype=tf.int32)


def logits_that_are_a_vector(tf):
    logits = tf.placeholder(tf.float32)
    return tf.multinomial(logits, 2), {logits: [1.0]}


def static_logits_that_are_a_vector(tf):
    return tf.multinomial([1.0], 2)


def no_classes(tf):
    logits = tf.placeholder(tf.float32, [1, None])
    return tf.random.categorical(logits, 2), {logits: [[]]}


def fewer_than_no_samples(tf):
    samples = tf.placeholder(tf.int32)
    return tf.multinomial([[1.0]], samples), {samples: -1}


def static_fewer_than_no_samples(tf):
    return tf.multinomial([[1.0]], -1)


def samples_that_are_a_vector(tf):
    samples = tf.placeholder(tf.int32)
    return tf.multinomial([[1.0]], samples), {samples: [1]}


def static_samples_that_are_a_vector(tf):
    return tf.multinomial([[1.0]], [1])


def multinomial_of_floats(tf):
    return tf.multinomial([[1.0]], 1, output_dtype=tf.float32)


def gamma_of_integers(tf):
    return tf.random_gamma([2], [1.0], dtype=tf.int32)


def gamma_of_a_negative_shape(tf):
    shape = tf.placeholder(tf.int32)
    return tf.random_gamma(shape, 1.0, seed=1), {shape: [-2]}


def gamma_parameters_that_do_not_broadcast(tf):
    return tf.random_gamma([2], [1.0, 2.0], [1.0, 2.0, 3.0])


def poisson_of_bytes(tf):
    return tf.random_poisson(1.0, [2], dtype=tf.uint8)


def poisson_of_a_matrix_of_sizes(tf):
    shape = tf.placeholder(tf.int32)
    return tf.random_poisson(1.0, shape, seed=1), {shape: [[2]]}


def crop_larger_than_the_value(tf):
    return tf.random_crop([[1, 2], [3, 4]], [3, 1], seed=1)


def crop_of_another_rank(tf):
    return tf.random_crop([[1, 2], [3, 4]], [1], seed=1)


def stateless_seed_of_one(tf):
    return tf.random.stateless_uniform([2], [1])


def stateless_seed_of_three(tf):
    seed = tf.placeholder(tf.int32)
    return tf.random.stateless_normal([2], seed), {seed: [1, 2, 3]}


def stateless_integers_without_maxval(tf):
    return tf.random.stateless_uniform([2], [1, 2], dtype=tf.int32)


def bounded(tf, **changed):
    given = {"means": 0.0, "stdevs": 1.0, "minvals": -1.0, "maxvals": 1.0, "shape": [2], **changed}
    return tf.raw_ops.ParameterizedTruncatedNormal(seed=1, **given)


def bounds_that_bound_nothing(tf):
    return bounded(tf, minvals=-float("inf"), maxvals=float("inf"))


def deviation_of_zero_between_bounds(tf):
    return bounded(tf, stdevs=[1.0, 0.0])


def means_of_more_rows_than_are_drawn(tf):
    return bounded(tf, means=[0.0, 1.0, 2.0])


def bounds_as_a_matrix(tf):
    return bounded(tf, maxvals=[[1.0]])


def bounds_as_a_matrix_when_run(tf):
    maxvals = tf.placeholder(tf.float32)
    return bounded(tf, maxvals=maxvals), {maxvals: [[1.0]]}


def bounded_by_a_shape_of_no_vector(tf):
    shape = tf.placeholder(tf.int32)
    return bounded(tf, shape=shape), {shape: [[2]]}


def mean_that_is_no_number(tf):
    return bounded(tf, means=float("nan"))


def gamma_slopes_of_other_lengths(tf):
    alpha, sample = (tf.placeholder_with_default(v, None) for v in ([1.0, 2.0], [1.0, 2.0, 3.0]))
    return tf.raw_ops.RandomGammaGrad(alpha=alpha, sample=sample)


def stateless_integers_of_a_matrix_shape(tf):
    given = [tf.placeholder_with_default(v, None) for v in ([[2]], [1])]
    return tf.random.stateless_uniform(given[0], [1, 2], 1, given[1], tf.int32)


def shape_of_lists_of_two_lengths(tf):
    return tf.random_uniform([[1, 2], [3]], seed=1)
