"""Assertions that fail when they run: what they say of their data, how many elements, and in whose words."""


def failing(tf, kind, *others, values=(1.0, -2.0, 3.0), **options):
    """An assertion of fed values; with options, with data and words of one's own."""
    x = tf.placeholder(tf.float32, name="x")
    if options:
        options["data"] = [x, "and more"]
    return getattr(tf, "assert_" + kind)(x, *others, **options), {x: values}


def words_of_its_own(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    return tf.assert_less(x, 3.0, summarize=2, message="Mine."), {x: [1.0, 4.0, 5.0]}


def elements_of_its_own(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    return tf.assert_positive(x, summarize=1), {x: [1.0, -4.0, 5.0]}


def an_assert_that_shows_two(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    return tf.Assert(tf.reduce_all(x > 0), ["of", x, x * 2.0], summarize=2), {x: [1.0, -4.0, 5.0]}


CASES = {
    "non_negative": lambda tf: failing(tf, "non_negative", summarize=1, message="Mine."),
    "less_equal": lambda tf: failing(tf, "less_equal", 2.0, summarize=1, message="Mine."),
    "greater_equal": lambda tf: failing(
        tf, "greater_equal", [1.0, -1.0, 3.0], summarize=2, message="Mine."
    ),
    "near": lambda tf: failing(tf, "near", [1.0, -2.0, 3.1], summarize=2, message="Mine."),
    "integers": lambda tf: tf.assert_integer(tf.constant(1.0, name="x"), message="Mine."),
    "a_type": lambda tf: tf.assert_type(tf.constant(1.0, name="x"), tf.int32, message="Mine."),
    "a_scalar": lambda tf: tf.assert_scalar(tf.constant([1.0], name="x"), message="Mine."),
}
