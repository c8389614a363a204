"""tf.data: iterators that were not started, sizes and shapes that do not fit, elements that fail, wrong functions."""

import numpy as np


def following(tf, dataset):
    return tf.data.make_one_shot_iterator(dataset).get_next()


def start(tf, dataset):
    return tf.data.make_initializable_iterator(dataset).initializer


def not_initialized(tf):
    return tf.data.make_initializable_iterator(tf.data.Dataset.range(3)).get_next()


def rows_that_differ_when_run(tf):
    rows = [tf.placeholder_with_default(np.zeros(n), [None], name=f"rows{n}") for n in (2, 3)]
    return start(tf, tf.data.Dataset.from_tensor_slices(tuple(rows)))


def shapes_that_differ_in_a_batch(tf):
    plain = tf.data.Options()
    plain.experimental_optimization.apply_default_optimizations = False
    dataset = tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n)).batch(2)
    return following(tf, dataset.with_options(plain))


def larger_than_the_padding(tf):
    dataset = tf.data.Dataset.range(3, 5).map(lambda n: tf.fill([n], n))
    return following(tf, dataset.padded_batch(2, [2]))


def no_initializer(tf):
    tf.data.make_one_shot_iterator(tf.data.Dataset.range(3)).initializer  # noqa: B018


def variable_in_a_one_shot_iterator(tf):
    weight = tf.get_variable("weight", [], tf.int64, tf.zeros_initializer(), use_resource=True)
    tf.data.make_one_shot_iterator(tf.data.Dataset.range(3).map(lambda x: x + weight))


def string_that_is_no_handle(tf):
    name = tf.constant(b"\xff\xff", name="name")
    return tf.data.Iterator.from_string_handle(name, tf.int64, []).get_next()


CASES = {
    "no_elements": lambda tf: following(tf, tf.data.Dataset.range(0).repeat()),
    "batch_of_nothing": lambda tf: start(tf, tf.data.Dataset.range(3).batch(0)),
    "shuffled_in_nothing": lambda tf: start(tf, tf.data.Dataset.range(3).shuffle(0)),
    "shard_beyond": lambda tf: start(tf, tf.data.Dataset.range(3).shard(2, 5)),
    "range_without_step": lambda tf: start(tf, tf.data.Dataset.range(0, 3, 0)),
    "prefetch_of_less": lambda tf: start(tf, tf.data.Dataset.range(3).prefetch(-2)),
    "window_of_nothing": lambda tf: start(tf, tf.data.Dataset.range(3).window(0)),
    "no_parallel_calls": lambda tf: start(tf, tf.data.Dataset.range(3).map(lambda x: x, 0)),
    "vector_count": lambda tf: tf.data.Dataset.range(3).take([1, 2]),
    "rows_that_differ": lambda tf: tf.data.Dataset.from_tensor_slices(([1, 2, 3], [1, 2])),
    "predicate_that_is_no_bool": lambda tf: tf.data.Dataset.range(3).filter(lambda x: x),
    "map_to_nothing": lambda tf: tf.data.Dataset.range(3).map(lambda x: None),
    "zip_of_a_list": lambda tf: tf.data.Dataset.zip([tf.data.Dataset.range(3)]),
    "other_types_concatenated": lambda tf: tf.data.Dataset.range(3).concatenate(
        tf.data.Dataset.from_tensors(1.0)
    ),
    "iterated_in_python": lambda tf: iter(tf.data.Dataset.range(3)),
    "initializer_of_other_types": lambda tf: tf.data.Iterator.from_structure(
        tf.int32, []
    ).make_initializer(tf.data.Dataset.range(3)),
    "missing_file": lambda tf: following(tf, tf.data.TextLineDataset("/nowhere/at/all")),
    "generator_that_is_none": lambda tf: tf.data.Dataset.from_generator([1, 2], tf.int32),
    "padding_of_another_type": lambda tf: tf.data.Dataset.range(3).padded_batch(
        2, [], padding_values=1.5
    ),
}
