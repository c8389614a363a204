"""tf.Variable with every argument, its methods and properties."""

import numpy as np


def build(tf):
    first = tf.Variable([1.0, 2.0])
    second = tf.Variable(5)
    named = tf.Variable(np.eye(2), name="w", dtype=tf.float32)
    again = tf.Variable([[True]], name="w")
    still = tf.Variable(3.0, trainable=False, name="still")
    local = tf.Variable(1, collections=[tf.GraphKeys.LOCAL_VARIABLES, "mine"], name="local")
    loose = tf.Variable(tf.placeholder_with_default([1.0], None), validate_shape=False)
    cached = tf.Variable([1.0, 2.0], caching_device="/cpu:0", name="cached")
    bounded = tf.Variable([5.0], constraint=lambda t: tf.clip_by_value(t, 0.0, 1.0), name="bounded")
    expected = tf.Variable([[1.0, 2.0]], expected_shape=[1, 2], name="expected")
    text = tf.Variable(["a", "b"], name="text")
    with tf.name_scope("scope"), tf.device("/cpu:0"):
        inside = tf.Variable(tf.zeros([2, 3]), name="inside")
    with tf.control_dependencies([first.initializer]):
        free = tf.Variable(7.0, name="free")
    copied = tf.Variable(variable_def=named.to_proto())
    shaped = tf.Variable(tf.ones([2, 2]), name="shaped", shape=tf.TensorShape([2, 2]))
    everything = [
        first, second, named, again, still, local, loose, cached, bounded, expected, text, inside,
        free, copied, shaped,
    ]  # fmt: skip
    facts = {
        "reprs": [repr(v) for v in everything],
        "trainable": [v.trainable for v in everything],
        "ops": [v.op.name + " " + v.op.type for v in everything],
        "devices": [v.device for v in everything],
        "snapshots": [v._snapshot.name for v in everything if hasattr(v, "_snapshot")],
        "values": [v.value().name for v in everything[:3]],
        "shapes": [str(v.get_shape()) for v in everything] + [str(first.shape)],
        "proto": str(cached.to_proto()),
        "dtypes": [str(v.dtype) for v in everything],
        "initializers": [v.initializer.name for v in everything],
    }
    changed = [
        first.assign([3.0, 4.0]), first.assign_add([1.0, 1.0]), first.assign_sub([0.5, 0.5]),
        first.assign([9.0, 9.0], use_locking=True), second.count_up_to(7),
        inside.scatter_update(tf.IndexedSlices([[1.0, 2.0, 3.0]], [1])),
        inside.scatter_add(tf.IndexedSlices([[1.0, 1.0, 1.0]], [0])),
        inside.scatter_sub(tf.IndexedSlices([[0.5, 0.5, 0.5]], [0])),
        tf.assign(loose, [[1.0, 2.0], [3.0, 4.0]], validate_shape=False), tf.assign_add(second, 1),
        tf.assign_sub(still, 1.0), first.assign([1.0, 1.0], read_value=False),
        first.initialized_value(), cached.read_value(), tf.identity(text), cached + 1.0,
        tf.constant(2.0) * bounded, tf.gather(named, [1]), tf.identity(copied),
    ]  # fmt: skip
    steps = [("init", [tf.global_variables_initializer(), tf.local_variables_initializer()])]
    steps += [("values", list(everything))]
    steps += [(f"change {n}", op) for n, op in enumerate(changed)]
    steps += [("values", list(everything))]
    steps += [("load", lambda sess: first.load([7.0, 7.0], sess)), ("first", first)]
    steps += [("eval", lambda sess: first.eval(session=sess))]
    return {"facts": facts, "steps": steps}
