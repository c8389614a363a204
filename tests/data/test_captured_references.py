"""Dataset functions that read reference variables: their graphs are not rewritten."""

import pytest

import tfmini as tf

more = tf.data.experimental
TRANSFORMATIONS = {
    "map": lambda d, v: d.map(lambda x: v() + x),
    "parallel_map": lambda d, v: d.map(lambda x: v() + x, num_parallel_calls=2),
    "flat_map": lambda d, v: d.flat_map(lambda x: tf.data.Dataset.from_tensors(v() + x)),
    "interleave": lambda d, v: d.interleave(lambda x: tf.data.Dataset.from_tensors(v() + x), 2),
    "filter": lambda d, v: d.filter(lambda x: v() < x),
    "take_while": lambda d, v: d.apply(more.take_while(lambda x: v() < x)),
    "map_and_batch": lambda d, v: d.apply(more.map_and_batch(lambda x: v() + x, 2)),
    "window_key": lambda d, v: d.apply(
        more.group_by_window(lambda x: v() + x, lambda _, rows: rows.batch(2), window_size=2)
    ),
    "window_of_the_key": lambda d, v: d.apply(
        more.group_by_window(
            lambda x: x, lambda k, rows: rows.batch(2), window_size_func=lambda k: v() + k
        )
    ),
}


@pytest.mark.parametrize("name", TRANSFORMATIONS)
def test_functions_reading_references_are_not_rewritten(name):
    with tf.Graph().as_default():
        variable = tf.Variable(1, dtype=tf.int64, use_resource=False)
        dataset = TRANSFORMATIONS[name](tf.data.Dataset.range(3), variable.read_value)
        dataset = dataset.map(lambda x: x).prefetch(1)
        options = tf.data.Options()
        options.experimental_optimization.map_fusion = True
        with pytest.warns(UserWarning, match="not compatible with tf.Variable.* map_fusion"):
            tf.data.make_initializable_iterator(dataset.with_options(options))
