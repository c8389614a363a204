"""tf.data: iterators that were not started, sizes and shapes that do not fit, elements that fail, wrong functions."""

import numpy as np


def following(tf, dataset):
    return tf.data.make_one_shot_iterator(dataset).get_next()


def start(tf, dataset):
    return tf.data.make_initializable_iterator(dataset).initializer


def not_initialized(tf):
    return tf.data.make_initializable_iterator(tf.data.Dataset.range(3)).get_next()


def no_elements(tf):
    return following(tf, tf.data.Dataset.range(0).repeat())


def batch_of_nothing(tf):
    return start(tf, tf.data.Dataset.range(3).batch(0))


def shuffled_in_nothing(tf):
    return start(tf, tf.data.Dataset.range(3).shuffle(0))


def shard_beyond(tf):
    return start(tf, tf.data.Dataset.range(3).shard(2, 5))


def range_without_step(tf):
    return start(tf, tf.data.Dataset.range(0, 3, 0))


def prefetch_of_less(tf):
    return start(tf, tf.data.Dataset.range(3).prefetch(-2))


def window_of_nothing(tf):
    return start(tf, tf.data.Dataset.range(3).window(0))


def no_parallel_calls(tf):
    return start(tf, tf.data.Dataset.range(3).map(lambda x: x, 0))


def vector_count(tf):
    tf.data.Dataset.range(3).take([1, 2])


def rows_that_differ(tf):
    tf.data.Dataset.from_tensor_slices(([1, 2, 3], [1, 2]))


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


def predicate_that_is_no_bool(tf):
    tf.data.Dataset.range(3).filter(lambda x: x)


def map_to_nothing(tf):
    tf.data.Dataset.range(3).map(lambda x: None)


def zip_of_a_list(tf):
    tf.data.Dataset.zip([tf.data.Dataset.range(3)])


def other_types_concatenated(tf):
    tf.data.Dataset.range(3).concatenate(tf.data.Dataset.from_tensors(1.0))


def iterated_in_python(tf):
    iter(tf.data.Dataset.range(3))


def no_initializer(tf):
    tf.data.make_one_shot_iterator(tf.data.Dataset.range(3)).initializer  # noqa: B018


def initializer_of_other_types(tf):
    tf.data.Iterator.from_structure(tf.int32, []).make_initializer(tf.data.Dataset.range(3))


def variable_in_a_one_shot_iterator(tf):
    weight = tf.get_variable("weight", [], tf.int64, tf.zeros_initializer(), use_resource=True)
    tf.data.make_one_shot_iterator(tf.data.Dataset.range(3).map(lambda x: x + weight))


def string_that_is_no_handle(tf):
    name = tf.constant(b"\xff\xff", name="name")
    return tf.data.Iterator.from_string_handle(name, tf.int64, []).get_next()


def missing_file(tf):
    return following(tf, tf.data.TextLineDataset("/nowhere/at/all"))


def generator_that_is_none(tf):
    tf.data.Dataset.from_generator([1, 2], tf.int32)


def padding_of_another_type(tf):
    tf.data.Dataset.range(3).padded_batch(2, [], padding_values=1.5)
