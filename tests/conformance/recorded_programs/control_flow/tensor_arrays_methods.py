"""TensorArray: every method and property, outside of loops."""

import numpy as np

ROWS = np.arange(12.0).reshape(4, 3)


def build(tf):
    x = tf.placeholder(tf.float32, [4, 3], name="x")
    loose = tf.placeholder(tf.float32, None, name="loose")
    filled = tf.TensorArray(tf.float32, 4, name="filled").unstack(x)
    copy = filled.identity()
    last = filled.read(3, name="last")
    kept = tf.TensorArray(
        tf.float32, size=4, clear_after_read=False, tensor_array_name="kept", infer_shape=False
    ).scatter([3, 1], x[:2], name="scattered")
    again = [kept.read(1), kept.read(3), kept.gather([1, 1, 3])]
    growing = tf.TensorArray(tf.int32, 0, dynamic_size=True, element_shape=[None])
    growing = growing.write(2, [7, 8]).write(0, tf.zeros([2], tf.int32))
    parts = tf.TensorArray(tf.float32, 3, infer_shape=False, name="parts")
    parts = parts.split(x, [1, 0, 3], name="cut")
    even = tf.TensorArray(tf.float32, 2, colocate_with_first_write_call=False).split(x, [2, 2])
    words = tf.TensorArray(tf.string, 2).write(0, "a").write(1, tf.constant("bc"))
    halves = tf.TensorArray("float64", 2, element_shape=tf.TensorShape([2]))
    with tf.name_scope("scope"), tf.device("/cpu:0"):
        halves = halves.write(tf.constant(1), [0.5, 1.5])
        stacked = halves.stack(name="stacked")
        wrapped = tf.TensorArray(tf.float32, handle=filled.handle, flow=filled.flow)
    unknown = tf.TensorArray(tf.float32, tf.placeholder_with_default(2, [], "count"))
    unknown = unknown.write(0, loose).write(1, loose)
    with tf.control_dependencies([last]):
        closed = filled.close()
    gradient = kept.grad("gradients_by_hand")
    collected = gradient.write(1, [1.0, 2.0, 3.0]).write(1, tf.ones([3]))
    facts = {
        "names": [a.handle.name for a in (filled, copy, kept, growing, parts, even, gradient)],
        "flows": [a.flow.name for a in (filled, copy, kept, growing, parts, even, gradient)],
        "shapes": [str(a.element_shape) for a in (filled, kept, growing, parts, even, words)],
        "wrapped": [str(wrapped.element_shape), wrapped.dtype.name, wrapped.dynamic_size],
        "dtypes": [a.dtype.name for a in (filled, growing, words, halves)],
        "dynamic": [a.dynamic_size for a in (filled, growing)],
        "types": [type(a.handle).__name__ for a in (filled, wrapped)],
    }
    fetches = [
        *again,
        [copy.read(2), last],
        [growing.stack(), growing.size()],
        [parts.concat(), parts.size()],
        even.concat(),
        words.stack(name="words"),
        stacked,
        [collected.read(1), collected.read(3), gradient.flow],
    ]
    steps = [(f"fetch {i}", fetch, {x: ROWS}) for i, fetch in enumerate(fetches)]
    steps += [("unknown", unknown.stack(), {loose: [[1.0], [2.0]]}), ("close", closed, {x: ROWS})]
    steps.append(("kept_again", kept.gather([3, 1]), {x: -ROWS}))
    return {"facts": facts, "steps": steps}
