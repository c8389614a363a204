"""Datasets: cardinality, multi-device iterators, iterators by raw ops."""

import numpy as np

from tests.conformance.scenes import unknown
from tests.conformance.scenes.ops_datasets_raw import _handle


def cardinality_of_long_ranges(tf, stage):
    dataset = tf.data.Dataset.range
    most = 2**63 - 1
    with tf.Session() as session:
        for ends in ((most,), (-2, most), (-most - 1, most, 3), (most, -most - 1, -most - 1)):
            for data in (dataset(*ends), dataset(*ends).concatenate(dataset(3))):
                stage.say(ends, session.run(tf.data.experimental.cardinality(data)))


def over_several_devices(tf, stage):
    raw = tf.raw_ops
    D = tf.data.Dataset
    given = {"output_types": [tf.int64], "output_shapes": [[]]}
    two = {"devices": ["/cpu:0", "/cpu:0"], "container": "", **given}
    data = _handle(tf, D.range(5))
    handle = raw.MultiDeviceIterator(shared_name="", name="own", **two)
    start = raw.MultiDeviceIteratorInit(
        dataset=data, multi_device_iterator=handle, max_buffer_size=np.int64(1)
    )
    life, shard = tf.placeholder(tf.int64, []), tf.placeholder(tf.int32, [])

    def next_of(handle):
        return raw.MultiDeviceIteratorGetNextFromShard(
            multi_device_iterator=handle, shard_num=shard, incarnation_id=life, **given
        )

    text = raw.MultiDeviceIteratorToStringHandle(multi_device_iterator=handle)
    again = raw.MultiDeviceIteratorFromStringHandle(string_handle=text, **given)
    value, other = next_of(handle), next_of(again)
    stage.say(handle.shape, start.shape, value, text.shape)
    with tf.Session() as session:
        number = session.run(start)
        stage.say(number)
        for place, fetch in (
            (0, value),
            (0, value),
            (1, value),
            (1, other),
            (1, value),
            (0, value),
            (0, value),
        ):
            stage.attempt(session.run, fetch, {shard: place, life: number})
        number = session.run(start)
        stage.say(number)
        stage.attempt(session.run, value, {shard: 0, life: number - 1})
    stage.brief_graph(names=False)


def iterators(tf, stage):
    raw = tf.raw_ops
    D = tf.data.Dataset
    given = {"output_types": [tf.int64], "output_shapes": [[]]}
    data, words = _handle(tf, D.range(5)), _handle(tf, D.from_tensors("a"))
    rows = _handle(tf, D.from_tensors(np.int64([1, 2])))

    def make(name, where="", kind=raw.IteratorV2):
        return kind(shared_name=name, container=where, **given)

    start = lambda handle, data=data: raw.MakeIterator(dataset=data, iterator=handle)  # noqa: E731
    get = lambda handle, kind=raw.IteratorGetNext, **k: kind(iterator=handle, **{**given, **k})  # noqa: E731
    first, same, apart = make("s"), make("s"), make("s", "c")
    old, alone = make("o", kind=raw.Iterator), make("")
    other = raw.IteratorV2(
        shared_name="s", container="", output_types=[tf.string], output_shapes=[[]]
    )
    shape = raw.IteratorV2(
        shared_name="s", container="", output_types=[tf.int64], output_shapes=[[2]]
    )
    text = raw.IteratorToStringHandle(resource_handle=first)
    back = raw.IteratorFromStringHandleV2(string_handle=text, **given)
    wrong = raw.IteratorFromStringHandle(
        string_handle=text, output_types=[tf.string], output_shapes=[[]]
    )
    free = raw.IteratorFromStringHandle(string_handle=text)
    maybe = raw.IteratorGetNextAsOptional(iterator=old, **given)
    fed = tf.placeholder(tf.string, [])
    unknown_handle = raw.IteratorFromStringHandleV2(string_handle=fed, **given)
    with tf.Session() as session:
        run = lambda x, *feed: stage.attempt(session.run, x, *feed)  # noqa: E731
        run(get(first)), run(start(first)), run(get(first)), run(get(same)), run(get(apart))
        run(start(apart)), run(get(apart)), run(get(first, raw.IteratorGetNextSync))
        run(start(first, words)), run(start(first, rows)), run(get(first))
        run(get(other, output_types=[tf.string])), run(get(shape))
        run(get(back)), run(get(wrong, output_types=[tf.string])), run(get(free)), run(get(first))
        run(start(first)), run(get(first))
        run(start(old)), run(raw.OptionalHasValue(optional=maybe))
        for _ in range(4):
            run(raw.OptionalGetValue(optional=maybe, **given))
        run(raw.OptionalHasValue(optional=maybe)), run(get(old))
        run(start(alone)), run(get(alone))
        run(get(unknown_handle), {fed: "x"})
    stage.say(get(first, output_shapes=[[3]])[0].shape, first.shape, maybe.shape, text.shape)
    single = raw.DatasetToSingleElement
    with tf.Session() as session:
        for handle in (words, data, _handle(tf, D.range(0)), rows):
            kinds = [tf.string] if handle is words else [tf.int64]
            stage.attempt(
                session.run, single(dataset=handle, output_types=kinds, output_shapes=[None])
            )
        path = stage.folder + "/r"
        write = lambda data, kind, to=path: raw.DatasetToTFRecord(  # noqa: E731
            input_dataset=data, filename=to, compression_type=kind
        )
        two = _handle(tf, D.from_tensor_slices(["a", "bc"]))
        # TensorFlow may still be writing after the step.
        stage.attempt(session.run, write(two, "GZIP"))
        stage.attempt(session.run, write(two, "", stage.folder + "/none/r"))


def slices_of_unlike_parts(tf, stage):
    """Components whose ranks and lengths are known only at run time."""
    D = tf.data.Dataset
    fed = unknown(tf)
    none, one = np.zeros([0], "f"), np.ones([1], "f")
    rows, number = np.arange(6, dtype="f").reshape(3, 2), np.float32(7)
    for parts in (
        (rows, rows),
        (rows, number),
        (number, rows),
        (number,),
        (number, number),
        (rows, rows[:2]),
        (rows, rows, number),
        (rows, one, number),
        (rows, one, rows),
        (none, none),
        (none, one),
        (none, number),
        (one, number),
        (np.array([b"a", b"b", b"c"], object), rows),
    ):
        with tf.Graph().as_default(), tf.Session() as session:
            stage.say([np.shape(part) for part in parts])
            with stage.failing():
                data = D.from_tensor_slices(tuple(fed(part) for part in parts))
                stage.say(data.output_shapes, data.output_types)
                iterator = tf.data.make_initializable_iterator(data)
                session.run(iterator.initializer)
                value = iterator.get_next()
                for _ in range(4):
                    stage.say(session.run(value))
        with tf.Graph().as_default():
            stage.attempt(lambda: D.from_tensor_slices(parts).output_shapes)  # noqa: B023
    sparse = tf.SparseTensor
    for indices, dims in (
        ([[0, 1], [2, 0]], [4, 2]),
        ([[2, 0], [0, 1]], [4, 2]),
        (np.zeros([0, 2], int), [2, 2]),
        ([[0, 0], [0, 1], [1, 1]], [2, 2]),
    ):
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            values = tf.range(len(indices))
            data = D.from_tensor_slices(sparse(tf.constant(indices, tf.int64), values, dims))
            iterator = tf.data.make_initializable_iterator(data)
            session.run(iterator.initializer)
            value = iterator.get_next()
            stage.say([str(part.shape) for part in (value.indices, value.dense_shape)])
            for _ in range(5):
                stage.say(session.run(value))
    for start, stop, step in ((0, 3, 1), (3, 0, -2), (0, 3, -1), (0, 3, 0), (-2, 2, 3)):
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            given = [fed(np.int64(n)) for n in (start, stop, step)]
            iterator = tf.data.make_initializable_iterator(D.range(*given))
            session.run(iterator.initializer)
            value = iterator.get_next()
            for _ in range(4):
                stage.say(session.run(value))
