"""Assertions that fail when they run: what they say of their data, how many elements, and in whose words."""


def failing(tf, kind, *others, values=(1.0, -2.0, 3.0), **options):
    """An assertion of fed values; with options, with data and words of one's own."""
    x = tf.placeholder(tf.float32, name="x")
    if options:
        options["data"] = [x, "and more"]
    return getattr(tf, "assert_" + kind)(x, *others, **options), {x: values}


CASES = {
    "near": lambda tf: failing(tf, "near", [1.0, -2.0, 3.1], summarize=2, message="Mine."),
    "integers": lambda tf: tf.assert_integer(tf.constant(1.0, name="x"), message="Mine."),
    "a_type": lambda tf: tf.assert_type(tf.constant(1.0, name="x"), tf.int32, message="Mine."),
    "a_scalar": lambda tf: tf.assert_scalar(tf.constant([1.0], name="x"), message="Mine."),
}
