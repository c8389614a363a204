"""Assertions failing at run time: the texts of their data, summarization, and custom messages."""


def failing(tf, kind, *others, values=(1.0, -2.0, 3.0), **options):
    """An assertion of fed values; with options, with custom data and message."""
    x = tf.placeholder(tf.float32, name="x")
    if options:
        options["data"] = [x, "and more"]
    return getattr(tf, "assert_" + kind)(x, *others, **options), {x: values}
