"""Iterators in checkpoints: a restored iterator continues as after the save."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.ops.datasets.iterator_state_encoding import pack, unpack
from tfmini.errors import DataLossError

D, E = tf.data.Dataset, tf.data.experimental


def pipelines():
    numbers = D.range(12)
    return {
        "shuffle": numbers.shuffle(5).repeat(3),
        "shuffle of elements": numbers.map(lambda x: x + 1).shuffle(4, seed=3).repeat(3),
        "shuffle and repeat": numbers.apply(E.shuffle_and_repeat(7, 3)),
        "flat map": numbers.flat_map(lambda x: D.range(x).shuffle(3, seed=1)),
        "interleave": numbers.skip(3).interleave(lambda x: D.range(x, x + 3), 3, 2),
        "parallel interleave": numbers.interleave(
            lambda x: D.range(x, x + 3), 3, 1, num_parallel_calls=2
        ),
        "parallel map": numbers.map(lambda x: x * 2, num_parallel_calls=3).repeat(2),
        "prefetch": numbers.prefetch(3).repeat(3),
        "cache": numbers.cache().repeat(4),
        "unbatch": numbers.batch(5).unbatch(),
        "groups": numbers.apply(E.group_by_window(lambda x: x % 3, lambda k, d: d.batch(2), 3)),
        "reduced": numbers.apply(
            E.group_by_reducer(
                lambda x: x % 5, E.Reducer(lambda k: np.int64(0), lambda s, x: s + x, lambda s: s)
            )
        ),
        "records": D.from_tensor_slices([b"a", b"b", b"c"]).repeat(3).shuffle(4),
        "shard": numbers.repeat(3).shard(3, 1),
        "skip": numbers.skip(3).repeat(2),
        "take": numbers.take(5).repeat(3),
        "batch": numbers.repeat(3).batch(2),
        "padded batch": numbers.map(lambda x: tf.range(x)).padded_batch(3, [None]).repeat(4),
        "filter": numbers.filter(lambda x: x % 3 > 0).repeat(2),
        "concatenate": numbers.take(3).concatenate(numbers.skip(7)).repeat(2),
        "zip": D.zip((numbers.skip(1), numbers.repeat(2))).map(lambda x, y: x * 100 + y),
        "enumerate": numbers.repeat(2).enumerate(5).map(lambda i, x: i * 100 + x),
        "scan": numbers.repeat(2).apply(E.scan(np.int64(1), lambda s, x: (s + x, s * x))),
        "take while": numbers.repeat(2).apply(E.take_while(lambda x: x < 11)).repeat(2),
        "unique": numbers.map(lambda x: x * x % 12).apply(E.unique()).repeat(3),
        "choose": E.choose_from_datasets(
            [numbers, numbers.map(lambda x: -x)], D.from_tensor_slices(np.int64([0, 1, 1] * 5))
        ),
        "sample": E.sample_from_datasets([numbers, numbers.map(lambda x: -x)], [0.7, 0.3], seed=4),
        "map and batch": numbers.repeat(3).apply(E.map_and_batch(lambda x: x + 1, 2)),
        "buckets": numbers.repeat(2)
        .map(lambda x: tf.range(x))
        .apply(E.bucket_by_sequence_length(tf.size, [3, 6], [2, 2, 2]))
        .map(tf.size),
        "parallel by turns": numbers.apply(E.parallel_interleave(lambda x: D.range(x, x + 3), 3)),
        "slices": D.from_tensor_slices((np.arange(8), np.arange(8) * 3)).map(lambda a, b: a + b),
        "one": D.from_tensors(7).repeat(6),
        "counter": E.Counter(3, -2),
        "random": E.RandomDataset(seed=9).take(15),
        "ignored errors": numbers.map(lambda x: 12 // (x % 3)).apply(E.ignore_errors()),
    }


def read(session, following, count):
    values = []
    for _ in range(count):
        try:
            values.append(np.asarray(session.run(following)).tolist())
        except tf.errors.OutOfRangeError:
            values.append("end")
    return values


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(pipelines()))
@pytest.mark.parametrize("before", [0, 4, 14])
def test_restored_iterator_continues(tmp_path, name, before):
    tf.set_random_seed(5)
    iterator = tf.data.make_initializable_iterator(pipelines()[name])
    following = iterator.get_next()
    saver = tf.train.Saver([E.make_saveable_from_iterator(iterator)])
    with tf.Session() as session:
        session.run(iterator.initializer)
        read(session, following, before)
        path = saver.save(session, str(tmp_path / "model"))
        after = read(session, following, 9)
    with tf.Session() as session:
        session.run(iterator.initializer)
        read(session, following, 2)
        saver.restore(session, path)
        assert read(session, following, 9) == after


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -(2**70),
        1.5,
        b"\x00\xff",
        "text",
        (1, [2, ("three", None)]),
        np.arange(6.0).reshape(2, 3),
        np.float32(1.5),
        np.array([[b"a", b"bc"]], object),
    ],
    ids=repr,
)
def test_plain_data_round_trip(value):
    actual = unpack(pack(value))
    assert type(actual) is type(value)
    np.testing.assert_array_equal(actual, value) if isinstance(value, np.ndarray) else None
    assert isinstance(value, np.ndarray) or actual == value
    with pytest.raises(DataLossError, match="^not plain data: |^1 bytes too many$"):
        unpack(pack(value)[:-1] + b"?!")


def test_other_objects_are_not_packed():
    with pytest.raises(TypeError, match="object is not plain data"):
        pack(object())
