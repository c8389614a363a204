"""tf.data: cardinality, get_single_element, record files, optional values, sparse batches."""

import os
import tempfile

from tests.conformance.recorded_programs.data.data_basic import read_all


def build(tf):
    D, E = tf.data.Dataset, tf.data.experimental
    ten = D.range(10)
    text = D.from_tensor_slices(["one", "two", "three"])
    counted = [
        ten,
        ten.repeat(3),
        ten.repeat(),
        ten.repeat(0),
        ten.take(4),
        ten.take(-1),
        ten.repeat().take(5),
        ten.skip(4),
        ten.skip(40),
        ten.skip(-1),
        ten.shard(3, 1),
        ten.batch(3),
        ten.batch(3, drop_remainder=True),
        ten.padded_batch(4, []),
        ten.window(3),
        ten.window(3, shift=2, drop_remainder=True),
        ten.map(lambda x: x),
        ten.map(lambda x: x, 2),
        ten.apply(E.map_and_batch(lambda x: x, 4)),
        ten.filter(lambda x: x > 2),
        ten.flat_map(lambda x: D.range(x)),
        ten.interleave(lambda x: D.range(x), 2),
        ten.shuffle(3),
        ten.apply(E.shuffle_and_repeat(3, 2)),
        ten.take(0).apply(E.shuffle_and_repeat(3)),
        ten.apply(tf.contrib.data.sliding_window_batch(3, window_shift=4)),
        ten.prefetch(1),
        ten.cache(),
        ten.concatenate(D.range(3)),
        ten.concatenate(D.range(3).repeat()),
        D.zip((ten, D.range(3), D.range(1).repeat())),
        D.zip((ten, ten.filter(lambda x: x > 2))),
        D.from_tensors([1, 2]),
        D.from_tensor_slices([1, 2]),
        D.from_sparse_tensor_slices(tf.SparseTensor([[0, 0]], [1], [4, 2])),
        D.from_generator(lambda: [1], tf.int64),
        ten.batch(2).unbatch(),
        ten.enumerate(),
        ten.apply(E.scan(tf.constant(0, tf.int64), lambda s, x: (s, x))),
        E.Counter(),
        E.RandomDataset(),
        text,
        ten.apply(E.unique()),
        ten.apply(E.take_while(lambda x: x < 4)),
        ten.apply(E.ignore_errors()),
        ten.apply(E.group_by_window(lambda x: x, lambda k, d: d, 2)),
        E.choose_from_datasets([ten], D.range(1)),
        ten.map(lambda x: tf.fill([2], x)).apply(E.dense_to_sparse_batch(4, [2])),
        ten.apply(E.bytes_produced_stats("tag")),
        ten.apply(E.copy_to_device("/cpu:0")),
    ]
    path = os.path.join(tempfile.mkdtemp(), "records")
    place = tf.placeholder(tf.string, [], name="path")
    write = E.TFRecordWriter(place).write(text)
    packed = E.TFRecordWriter(place, "GZIP").write(text.skip(1))
    read = tf.data.TFRecordDataset(place, compression_type="").make_initializable_iterator()
    unpack = tf.data.TFRecordDataset(place, compression_type="GZIP").make_initializable_iterator()
    iterator = ten.take(2).map(lambda x: {"x": x, "y": x * 2}).make_initializable_iterator()
    following = E.get_next_as_optional(iterator)
    has = following.has_value()
    value = tf.cond(has, lambda: following.get_value()["y"], lambda: tf.constant(-7, tf.int64))
    given = E.Optional.from_value((tf.constant(3), "text"))
    none = E.Optional.none_from_structure(tf.TensorSpec([2], tf.float32))
    absent = none.has_value(name="absent")
    inside = D.range(3).map(lambda x: E.Optional.from_value(x)).map(lambda o: o.get_value() + 1)
    single = E.get_single_element(ten.skip(2).take(4).batch(5))
    ragged = D.from_tensor_slices([1, 3, 0, 2]).map(lambda n: tf.range(n))
    datasets = [
        ragged.apply(E.dense_to_sparse_batch(3, [3])),
        ragged.apply(E.dense_to_sparse_batch(2, [None])),
        D.from_tensor_slices([["a", "b"], ["c", "d"]])
        .apply(E.dense_to_sparse_batch(2, tf.TensorShape([4])))
        .map(lambda s: tf.sparse.to_dense(s, default_value="-")),
        inside,
    ]

    def records(initialize, following):
        def run(session):
            session.run(initialize, {place: path})
            return [session.run(following) for _ in range(2)]

        return run

    steps = [
        ("counts", [E.cardinality(dataset) for dataset in counted], None),
        ("single", single, None),
        ("written", lambda s: s.run(write, {place: path})),
        ("read", records(read.initializer, read.get_next())),
        ("packed", lambda s: s.run(packed, {place: path})),
        ("unpacked", records(unpack.initializer, unpack.get_next())),
        ("optional", lambda s: [s.run(iterator.initializer), [s.run(value) for _ in range(3)]][1]),
        ("value", list(given.get_value()), None),
        ("absent", [absent, given.has_value()], None),
        *read_all(tf, datasets),
    ]
    return {
        "steps": steps,
        "facts": {
            "structures": repr([given.value_structure, none.value_structure]),
            "constants": [E.INFINITE_CARDINALITY, E.UNKNOWN_CARDINALITY],
        },
    }
