"""Staging areas: mismatched values, missing keys and indices."""


def area(tf, **settings):
    return tf.contrib.staging.StagingArea([tf.float32, tf.int32], **settings)


def put(tf, indices, values, **attrs):
    attrs.update(key=tf.constant(1, tf.int64), indices=indices, values=values)
    return tf.raw_ops.MapStage(dtypes=[tf.float32, tf.int32], shared_name="map", **attrs)


def a_component_twice(tf):
    first = put(tf, [0], [tf.constant(1.0)])
    return lambda sess: [sess.run(first), sess.run(first)]


def taken_twice(tf):
    fill = put(tf, [0, 1], [tf.constant(1.0), tf.constant(1)])
    attrs = {"key": tf.constant(1, tf.int64), "indices": [0], "shared_name": "map"}
    take = tf.raw_ops.MapUnstage(dtypes=[tf.float32], **attrs)
    return lambda sess: [sess.run(op) for op in (fill, take, take)]


def a_component_outside(tf):
    fill = put(tf, [0, 1], [tf.constant(1.0), tf.constant(1)])
    attrs = {"key": tf.constant(1, tf.int64), "indices": [2], "shared_name": "map"}
    take = tf.raw_ops.MapUnstage(dtypes=[tf.float32], **attrs)
    return lambda sess: [sess.run(op) for op in (fill, take)]
