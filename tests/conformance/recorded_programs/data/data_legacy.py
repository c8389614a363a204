"""tf.contrib.data: transformations under their first names, and those that are only there."""

import numpy as np

from tests.conformance.recorded_programs.data.data_basic import read_all


def build(tf):
    D, C = tf.data.Dataset, tf.contrib.data
    numbers = D.range(9)
    total = C.Reducer(lambda key: np.int64(0), lambda state, x: state + x, lambda state: state)
    datasets = [
        numbers.apply(C.batch_and_drop_remainder(4)),
        D.range(1, 6)
        .map(lambda n: tf.fill([n], n))
        .apply(C.padded_batch_and_drop_remainder(2, [None])),
        numbers.apply(C.sliding_window_batch(3)),
        numbers.apply(C.sliding_window_batch(2, window_shift=3, window_stride=2)),
        D.zip((numbers, numbers)).apply(C.sliding_window_batch(4, stride=4)),
        numbers.batch(3).apply(C.assert_element_shape(tf.TensorShape([3]))),
        D.zip((numbers.batch(3), numbers)).apply(
            C.assert_element_shape((tf.TensorShape([None]), tf.TensorShape([])))
        ),
        numbers.apply(C.sloppy_interleave(lambda x: D.range(x), 1)),
        numbers.apply(C.parallel_interleave(lambda x: D.range(x), 2, prefetch_input_elements=1)),
        numbers.apply(C.map_and_batch(lambda x: x * 2, 4)),
        numbers.apply(C.shuffle_and_repeat(4, 2, seed=6)),
        numbers.apply(C.enumerate_dataset(2)),
        numbers.batch(2).apply(C.unbatch()),
        numbers.map(lambda x: x % 2).apply(C.unique()),
        numbers.apply(C.scan(np.int64(1), lambda s, x: (s + x, s * x))),
        numbers.apply(C.group_by_window(lambda x: x % 2, lambda k, d: d.batch(3), 3)),
        numbers.apply(C.group_by_reducer(lambda x: x % 2, total)),
        C.Counter(5, -2).take(3),
        C.choose_from_datasets([numbers, numbers.skip(4)], D.range(2).repeat(2)),
        C.sample_from_datasets([numbers, numbers.skip(4)], [0.3, 0.7], seed=8),
        C.RandomDataset(3).take(3),
    ]
    reduced = C.reduce_dataset(numbers, total)
    single = C.get_single_element(numbers.batch(9))
    return {"steps": [*read_all(tf, datasets), ("reduced", [reduced, single], None)]}
