"""Assertions that fail when they run: what they say of their data, how many elements, and in whose words."""


def failing(tf, kind, *others, values=(1.0, -2.0, 3.0), **options):
    """An assertion of fed values; with options, with data and words of one's own."""
    x = tf.placeholder(tf.float32, name="x")
    if options:
        options["data"] = [x, "and more"]
    return getattr(tf, "assert_" + kind)(x, *others, **options), {x: values}
