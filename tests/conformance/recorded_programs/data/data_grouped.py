"""tf.data: groups by key in windows, buckets of lengths and reductions."""

import numpy as np

from tests.conformance.recorded_programs.data.data_basic import read_all


def build(tf):
    D, E = tf.data.Dataset, tf.data.experimental
    numbers = D.range(10)
    words = D.range(1, 12).map(lambda n: tf.fill([n % 7 + 1], n))
    limit = tf.constant(3, tf.int64, name="limit")
    mean = E.Reducer(
        lambda key: (np.int64(0), tf.cast(key, tf.float32)),
        lambda state, x: (state[0] + 1, state[1] + tf.cast(x, tf.float32)),
        lambda n, total: (n, total / tf.cast(n, tf.float32)),
    )
    grown = E.Reducer(
        lambda key: tf.expand_dims(key, 0),
        lambda state, x: tf.concat([state, [x]], 0),
        lambda state: {"all": state, "n": tf.size(state)},
    )
    datasets = [
        numbers.apply(E.group_by_window(lambda x: x % 3, lambda key, d: d.batch(2), 2)),
        numbers.apply(
            E.group_by_window(
                lambda x: x % 2,
                lambda key, d: D.zip((D.from_tensors(key), d.batch(4))),
                window_size_func=lambda key: key + limit,
            )
        ),
        D.zip((numbers, numbers)).apply(
            E.group_by_window(
                lambda a, b: tf.cast(a > 5, tf.int64), lambda key, d: d.map(lambda a, b: a + key), 3
            )
        ),
        words.apply(E.bucket_by_sequence_length(lambda w: tf.size(w), [3, 5], [2, 2, 3])),
        words.apply(
            E.bucket_by_sequence_length(
                lambda w: tf.shape(w)[0], [3, 8], [3, 2, 1], pad_to_bucket_boundary=True
            )
        ),
        words.map(lambda w: {"w": w, "n": tf.size(w)}).apply(
            E.bucket_by_sequence_length(
                lambda e: e["n"],
                [4],
                [2, 4],
                padded_shapes={"w": [None], "n": []},
                padding_values={"w": np.int64(-1), "n": 0},
                drop_remainder=True,
            )
        ),
        numbers.apply(
            E.bucket_by_sequence_length(
                lambda x: tf.cast(x, tf.int32), [3, 6], [2, 2, 2], no_padding=True
            )
        ),
        numbers.apply(E.group_by_reducer(lambda x: x % 3, mean)),
        numbers.apply(E.group_by_reducer(lambda x: x % 4, grown)),
    ]
    return {"steps": read_all(tf, datasets)}
