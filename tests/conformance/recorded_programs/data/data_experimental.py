"""tf.data.experimental: transformations for `Dataset.apply`."""

import numpy as np

from tests.conformance.recorded_programs.data.data_basic import until_the_end


def build(tf):
    D, E = tf.data.Dataset, tf.data.experimental
    numbers = D.range(7)
    datasets = [
        numbers.apply(E.scan(np.int64(0), lambda total, x: (total + x, {"total": total, "x": x}))),
        numbers.apply(
            E.scan(tf.zeros([0], tf.int64), lambda all, x: (tf.concat([all, [x]], 0), tf.size(all)))
        ),
        numbers.apply(E.shuffle_and_repeat(3, 2)),
        numbers.apply(E.shuffle_and_repeat(3, seed=4)).take(9),
        numbers.apply(E.map_and_batch(lambda x: (x, x * 2), 3)),
        numbers.apply(
            E.map_and_batch(lambda x: x + 1, 3, drop_remainder=True, num_parallel_calls=2)
        ),
        numbers.apply(E.parallel_interleave(lambda x: D.range(x), cycle_length=2)),
        D.from_tensors([[1, 2], [3, 4]]).apply(E.unbatch()),
        numbers.apply(E.enumerate_dataset(5)).map(lambda n, x: x, num_parallel_calls=E.AUTOTUNE),
        E.Counter(2, 3).take(4).prefetch(E.AUTOTUNE),
        D.range(3)
        .map(lambda x: E.to_variant(D.range(x)))
        .flat_map(lambda v: E.from_variant(v, tf.TensorSpec([], tf.int64))),
    ]
    steps = []
    for number, dataset in enumerate(datasets):
        iterator = tf.data.make_initializable_iterator(dataset)
        following = iterator.get_next()
        steps.append((f"start {number}", lambda s, i=iterator: s.run(i.initializer)))
        steps.append((f"read {number}", until_the_end(following)))
    return {"steps": steps, "facts": {"structure": repr(E.get_structure(datasets[0]))}}
