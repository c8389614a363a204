"""Staging areas that are given what does not fit, or asked for what is not there."""


def area(tf, **settings):
    return tf.contrib.staging.StagingArea([tf.float32, tf.int32], **settings)


def put(tf, indices, values, **attrs):
    attrs.update(key=tf.constant(1, tf.int64), indices=indices, values=values)
    return tf.raw_ops.MapStage(dtypes=[tf.float32, tf.int32], shared_name="map", **attrs)


def more_than_there_is_memory_for(tf):
    return area(tf, memory_limit=7).put([tf.constant([1.0, 2.0]), tf.constant(1)])


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


CASES = {
    "fewer_shapes": lambda tf: area(tf, shapes=[[]]),
    "more_names": lambda tf: area(tf, names=["a", "b", "c"]),
    "a_name_that_is_a_number": lambda tf: area(tf, shared_name=3),
    "a_dictionary_without_names": lambda tf: area(tf).put({"a": tf.constant(1.0)}),
    "a_list_for_names": lambda tf: area(tf, names=["a", "b"]).put(
        [tf.constant(1.0), tf.constant(1)]
    ),
    "other_names": lambda tf: area(tf, names=["a", "b"]).put({"c": tf.constant(1.0)}),
    "too_many": lambda tf: area(tf).put([tf.constant(1.0), tf.constant(1), tf.constant(1)]),
    "another_dtype": lambda tf: area(tf).put([tf.constant(1)]),
    "another_shape": lambda tf: area(tf, shapes=[[2], []]).put(
        [tf.constant([1.0]), tf.constant(1)]
    ),
    "an_index_twice": lambda tf: put(tf, [0, 0], [tf.constant(1.0), tf.constant(1.0)]),
}
