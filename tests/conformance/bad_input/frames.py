"""Frames built by hand, or imported without contexts, that form no loops: rejected at run time."""


def enter(tf, value, frame="frame", is_constant=False):
    return tf.raw_ops.Enter(data=tf.constant(value), frame_name=frame, is_constant=is_constant)


def counting(tf, limit=3):
    """The exit of a loop that counts, and the value on its back edge."""
    raw = tf.raw_ops
    start = enter(tf, 0)
    merged = raw.Merge(inputs=[start, start]).output
    more = raw.LoopCond(input=raw.Less(x=merged, y=enter(tf, limit, is_constant=True)))
    switched = raw.Switch(data=merged, pred=more)
    following = raw.Add(x=switched.output_true, y=enter(tf, 1, is_constant=True))
    merged.op._update_input(1, raw.NextIteration(data=following))
    return raw.Exit(data=switched.output_false), switched.output_true


def the_same_loop_imported_twice(tf):
    with tf.Graph().as_default() as graph:
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], name="loop")
    imported = [
        tf.import_graph_def(graph.as_graph_def(), return_elements=["loop/Exit:0"], name=name)[0]
        for name in ("a", "b")
    ]
    return imported


def inputs_from_inside_and_outside(tf):
    both = tf.raw_ops.Add(x=enter(tf, 1.0), y=tf.constant(2.0), name="both")
    return tf.raw_ops.Exit(data=both)


def inputs_from_outside_and_inside(tf):
    both = tf.raw_ops.Add(x=tf.constant(2.0), y=enter(tf, 1.0), name="both")
    return tf.raw_ops.Exit(data=both)


def nested(tf):
    """A value in a frame, and in a frame inside that."""
    outer = enter(tf, 1.0, "outer")
    return outer, tf.raw_ops.Enter(data=outer, frame_name="inner")


def inputs_from_a_frame_and_the_one_around(tf):
    outer, inner = nested(tf)
    return tf.raw_ops.Exit(data=tf.raw_ops.Add(x=inner, y=outer, name="both"))


def inputs_from_three_depths(tf):
    outer, inner = nested(tf)
    outside = tf.constant(5.0, name="outside")
    return tf.raw_ops.Exit(data=tf.raw_ops.AddN(inputs=[inner, outer, outside], name="all"))


def dependency_on_what_is_inside(tf):
    inside = []

    def body(i):
        inside.append(i + 1)
        return inside[0]

    loop = tf.while_loop(lambda i: i < 3, body, [tf.constant(0)])
    with tf.control_dependencies([inside[0]]):
        waiting = loop + tf.constant(3, name="three")
    return waiting


def what_goes_round_is_fetched(tf):
    _, inside = counting(tf)
    return tf.identity(inside, name="leak")
