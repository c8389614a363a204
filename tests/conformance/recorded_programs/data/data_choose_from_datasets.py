"""tf.data: elements chosen from several datasets by index or at random; skipped elements; resampled classes."""

from tests.conformance.recorded_programs.data.data_basic import read_all


def build(tf):
    D, E = tf.data.Dataset, tf.data.experimental
    ones, tens = D.range(1, 5), D.range(10, 50, 10)
    endless = [D.from_tensors(n).repeat() for n in (1, 2, 3)]
    weights = tf.constant([0.2, 0.3, 0.5], name="weights")
    checked = D.from_tensor_slices([1.0, 0.0, 4.0, 0.0, 2.0]).map(
        lambda x: tf.check_numerics(1.0 / x, "not finite")
    )
    datasets = [
        E.choose_from_datasets(
            [ones, tens],
            D.from_tensor_slices([0, 1, 1, 0, 1, 1, 1, 0, 0]).map(lambda x: tf.cast(x, tf.int64)),
        ),
        E.choose_from_datasets([ones.batch(2), tens.batch(3)], D.range(2).repeat()),
        E.sample_from_datasets([ones, tens], seed=3),
        E.sample_from_datasets(endless, [0.5, 0.25, 0.25], seed=4).take(20),
        E.sample_from_datasets(endless, weights).take(20),
        E.sample_from_datasets(endless, D.from_tensors([0.9, 0.05, 0.05]).repeat(12), seed=7),
        E.sample_from_datasets([ones], [1.0]),
        E.RandomDataset(seed=5).take(6),
        E.RandomDataset(seed=5).batch(3).take(2).repeat(2),
        E.RandomDataset().map(lambda x: x >= 0).take(3),
        ones.apply(E.take_while(lambda x: x < 3)),
        D.zip((ones, tens)).apply(E.take_while(lambda a, b: a + b < 33)).repeat(2),
        D.from_tensor_slices([5, 1, 5, 2, 1]).apply(E.unique()),
        D.from_tensor_slices([["a", "b"], ["a", "c"], ["a", "b"]]).apply(E.unique()),
        checked.apply(E.ignore_errors()),
        D.range(40)
        .map(lambda x: x % 4)
        .apply(
            E.rejection_resample(
                lambda x: tf.cast(x % 2, tf.int32), [0.8, 0.2], initial_dist=[0.5, 0.5], seed=9
            )
        ),
        D.range(60).apply(
            E.rejection_resample(lambda x: tf.cast(x % 3 > 0, tf.int32), [0.5, 0.5], seed=9)
        ),
        D.range(8).apply(
            E.rejection_resample(lambda x: tf.cast(x % 2, tf.int32), [0.5, 0.5], [0.5, 0.5])
        ),
    ]
    return {"steps": read_all(tf, datasets)}
