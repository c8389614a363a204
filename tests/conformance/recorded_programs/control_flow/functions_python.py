"""py_func, Print, Assert, check_numerics, group, tuple, no_op, identity_n, with dependencies."""

import numpy as np

# The Python functions exist only in the process that created them.
REPLAYABLE = False


def build(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.Variable(1, name="v")
    w = tf.Variable(2.0, name="w")
    calls = []

    def remember(a):
        calls.append(1)
        return np.float32(a.sum() * 2)

    one = tf.py_func(remember, [x], tf.float32, name="remember")
    one.set_shape([])
    two = tf.py_func(lambda a: (a + 1, np.int64(len(a))), [x], [tf.float32, tf.int64])
    text = tf.py_func(lambda: "text", [], tf.string, stateful=False)
    none = tf.py_func(lambda a: None, [x], [], name="nothing")
    newer = tf.numpy_function(lambda a: a * a, [x], tf.float32)
    printed = tf.Print(x, [x, tf.shape(x), v], "message: ", first_n=2, summarize=4)
    finite = tf.check_numerics(x, "not finite")
    asserted = tf.Assert(tf.reduce_all(x > 0), [x])
    bump = tf.assign_add(v, 1)
    grow = tf.assign_add(w, 0.5)
    grouped = tf.group(bump, grow, name="grouped")
    nested = tf.group(bump, [grow])
    empty = tf.group()
    with tf.device("/cpu:0"):
        other = tf.constant(1.0)
    spread = tf.group(other.op, bump, name="spread")
    tied = tf.tuple([bump, None, grow])
    controlled = tf.tuple([x, x * 2.0], name="controlled", control_inputs=[asserted])
    slices = tf.tuple([tf.IndexedSlices(tf.constant([1.0]), tf.constant([0])), x])
    several = tf.identity_n([x, x + 1.0])
    with tf.control_dependencies([asserted]):
        checked = tf.identity(x)
    nothing = tf.no_op(name="nothing_at_all")
    names = [op.name for op in (grouped, nested, empty, spread, nothing, asserted)]
    facts = {
        "names": names,
        "tied": [None if t is None else t.name for t in tied],
        "controlled": [t.name for t in controlled],
        "shapes": [str(t.shape) for t in [one, newer, text] + two],
        "kinds": [type(t).__name__ for t in [none, slices[0], two]],
    }
    feed = {x: [1.0, 2.0]}
    steps = [
        ("init", tf.global_variables_initializer()),
        ("functions", [one, two, text, newer], feed),
        ("again", one, feed),
        ("calls", lambda sess: len(calls)),
        ("none", none, feed),
        ("printed", [printed, finite, checked, several], feed),
        ("grouped", grouped),
        ("values", [v, w]),
        ("tied", [t for t in tied if t is not None]),
        ("values", [v, w]),
        ("nested", [nested, empty, spread, nothing]),
        ("controlled", [controlled, slices], feed),
    ]
    return {"facts": facts, "steps": steps}
