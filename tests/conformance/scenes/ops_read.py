"""Work unit readers, record batches, barriers, mutexes: every option, states, errors."""

import gzip
import importlib
import zlib

import numpy as np

from tests.conformance.scenes import unknown


def _files(stage, **texts):
    paths = []
    for name, data in texts.items():
        paths.append(stage.folder + "/" + name)
        with open(paths[-1], "wb") as out:
            out.write(data)
    return paths


def _filled(tf, session, *work):
    queue = tf.FIFOQueue(20, tf.string, name="files")
    session.run(queue.enqueue_many([list(work)]))
    session.run(queue.close())
    return queue


def _read_all(tf, stage, make, work, most=6):
    """Records a reader's output for single work units, and its counters."""
    with tf.Graph().as_default(), tf.Session() as session, stage.failing():
        reader = make()
        queue = _filled(tf, session, *work)
        read = reader.read(queue, name="got")
        counts = [reader.num_records_produced("n"), reader.num_work_units_completed("w")]
        stage.say(read, [t.shape for t in read], reader.supports_serialize, reader.reader_ref.name)
        for _ in range(most):
            stage.attempt(session.run, read)
            stage.say(session.run(counts))
        stage.brief_graph(names=False)


def _read_many(tf, stage, make, work, count, most=4):
    with tf.Graph().as_default(), tf.Session() as session, stage.failing():
        reader = make()
        queue = _filled(tf, session, *work)
        read = reader.read_up_to(queue, count, name="got")
        stage.say(read, [t.shape for t in read])
        for _ in range(most):
            stage.attempt(session.run, read)
        stage.say(session.run(reader.num_records_produced()))


def lines(tf, stage):
    a, b, c, d = _files(stage, a=b"h\n1\r\n\n2", b=b"", c=b"x\ny\n", d=b"\n\r\n\r")
    make = tf.TextLineReader
    _read_all(tf, stage, lambda: make(1, "own"), [a, b, c], 6)
    _read_all(tf, stage, lambda: make(skip_header_lines=5), [a, c], 2)
    _read_all(tf, stage, make, [d, stage.folder, c], 6)
    _read_all(tf, stage, lambda: make(-1), [a], 1)
    _read_many(tf, stage, make, [a, c], 3)
    _read_many(tf, stage, make, [a, c], 0, 2)
    _read_many(tf, stage, make, [c, a, c], 2)


def records(tf, stage):
    kinds = tf.python_io.TFRecordCompressionType
    for kind in (kinds.NONE, kinds.GZIP, kinds.ZLIB):
        path = f"{stage.folder}/r{kind}"
        options = tf.python_io.TFRecordOptions(kind)
        with tf.python_io.TFRecordWriter(path, options) as writer:
            for record in (b"one", b"", b"three"):
                writer.write(record)
        _read_all(tf, stage, lambda: tf.TFRecordReader("own", options), [path], 4)  # noqa: B023
    (cut,) = _files(stage, cut=b"abc")
    _read_all(tf, stage, tf.TFRecordReader, [cut, stage.folder + "/none", stage.folder + "/r0"], 5)
    _read_many(tf, stage, tf.TFRecordReader, [stage.folder + "/r0"], 2)
    _read_all(tf, stage, lambda: tf.TFRecordReader(options=kinds.GZIP), [stage.folder + "/r2"], 1)


def fixed_lengths(tf, stage):
    data = b"HHabcdefgF"
    a, b, c = _files(stage, a=data, b=zlib.compress(data), c=b"H")
    with open(stage.folder + "/z", "wb") as out, gzip.GzipFile("", "wb", 6, out, 0) as zipped:
        zipped.write(data)
    make = tf.FixedLengthRecordReader
    for work, given in (
        (a, {"record_bytes": 3, "header_bytes": 2, "footer_bytes": 1}),
        (a, {"record_bytes": 2, "header_bytes": 2, "footer_bytes": 1, "hop_bytes": 3}),
        (a, {"record_bytes": 2, "hop_bytes": 5}),
        (a, {"record_bytes": 4, "hop_bytes": 1, "header_bytes": 3}),
        (a, {"record_bytes": 1, "footer_bytes": 8}),
        (b, {"record_bytes": 3, "header_bytes": 2, "footer_bytes": 1, "encoding": "ZLIB"}),
        (stage.folder + "/z", {"record_bytes": 5, "encoding": "GZIP", "name": "own"}),
        (c, {"record_bytes": 1, "header_bytes": 2}),
        (c, {"record_bytes": 1, "footer_bytes": -1}),
        (c, {"record_bytes": 1, "hop_bytes": -1}),
        (c, {"record_bytes": -1}),
    ):
        _read_all(tf, stage, lambda given=given: make(**given), [work, a], 5)
    _read_many(tf, stage, lambda: make(4), [a, a], 2)


def states(tf, stage):
    (a,) = _files(stage, a=b"text")
    given = tf.placeholder(tf.string)
    for make in (tf.IdentityReader, tf.WholeFileReader, tf.TFRecordReader):
        reader = make()
        with tf.Session() as session:
            queue = _filled(tf, session, a, a, a, a)
            (key, value), up_to = reader.read(queue), reader.read_up_to(queue, 1)
            state, back = reader.serialize_state("s"), reader.restore_state(given, "b")
            counts = reader.num_records_produced(), reader.num_work_units_completed()
            run = session.run
            told = lambda: run(state).replace(a.encode(), b"a").split(b'"')[0]  # noqa: B023, E731
            stage.attempt(told)
            if make is not tf.TFRecordReader:
                run([key, value])
            stage.attempt(told)
            stage.attempt(run, counts)
            stage.attempt(run, counts)
            for wrong in (
                b"\xff",
                b"\x08\x02\x10\x03",
                b"\x08\x03\x10\x02\x22\x01a",
                _negative(tf),
            ):
                stage.attempt(run, back, {given: wrong})
                stage.attempt(run, counts)
            stage.attempt(run, back, {given: b"\x08\x02\x10\x02\x18\x05\x22\x01a"})
            stage.attempt(run, counts)
            stage.attempt(run, back, {given: [b""]})
            stage.attempt(run, back, {given: [b"", b""]})
            stage.attempt(run, reader.reset("r"))
            stage.attempt(run, [*counts, up_to])
            stage.attempt(run, counts)
    stage.brief_graph(names=False)


def _negative(tf):
    return b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"


def queues_that_do_not_fit(tf, stage):
    raw = tf.raw_ops
    cases = {
        "numbers": (tf.int32, [3]),
        "two": ([tf.string, tf.string], ["a", "b"]),
        "vectors": (tf.string, [["a", "b"]]),
        "vectors_of_one": (tf.string, [["a"]]),
    }
    for name, (kinds, element) in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            stage.say(name)
            queue = tf.FIFOQueue(9, kinds)
            read = tf.IdentityReader().read(queue)
            session.run(queue.enqueue(element))
            session.run(queue.enqueue(element))
            stage.attempt(session.run, read)
            stage.attempt(session.run, read)
    stage.say("shared")
    with tf.Session() as session:
        queue = _filled(tf, session, "a", "b", "c", "d", "e")
        made = {
            name: raw.IdentityReaderV2(shared_name=shared, container=container, name=name)
            for name, shared, container in (
                ("one", "s", ""),
                ("same", "s", ""),
                ("apart", "s", "c"),
                ("alone", "", ""),
            )
        }
        for handle in made.values():
            read = raw.ReaderReadV2(reader_handle=handle, queue_handle=queue.queue_ref)
            stage.attempt(session.run, read.key)
        for handle in made.values():
            stage.attempt(session.run, raw.ReaderNumRecordsProducedV2(reader_handle=handle))
        other = raw.TextLineReaderV2(shared_name="t", skip_header_lines=3)
        stage.attempt(session.run, raw.ReaderNumWorkUnitsCompletedV2(reader_handle=other))
    handle = raw.IdentityReaderV2(name="base")
    base = tf.ReaderBase(handle, True)
    stage.say(handle, base.supports_serialize, base.reader_ref is handle)
    stage.attempt(tf.ReaderBase(handle).read, 3)
    stage.say([t.name for t in base.read(queue.queue_ref, "by_handle")])


def batches_of_records(tf, stage):
    for i in range(3):
        with tf.python_io.TFRecordWriter(f"{stage.folder}/r{i}") as writer:
            for _ in range(4):
                writer.write(b"same")
    make = tf.contrib.framework.RecordInput
    pattern = stage.folder + "/r*"
    for given in (
        {"file_pattern": pattern},
        {"file_pattern": pattern, "batch_size": 3, "name": "own", "seed": 5, "shift_ratio": 0.5},
        {
            "file_pattern": pattern,
            "batch_size": 2,
            "batches": 2,
            "buffer_size": 7,
            "parallelism": 2,
        },
        {"file_pattern": stage.folder + "/none*"},
    ):
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            made = make(**given).get_yield_op()
            stage.say([t.shape for t in tf.nest.flatten(made)], made)
            stage.attempt(session.run, made)
            stage.attempt(session.run, made)
            stage.graph()
    raw = tf.raw_ops.RecordInput
    stage.say(raw(file_pattern="x", name="defaults").shape)
    stage.graph()


def barriers_made(tf, stage):
    raw = tf.raw_ops
    barrier = _barrier(tf)
    b = barrier((tf.float32, tf.string), ((), [2]), "b", "b")
    taken = [b.take_many(2), b.take_many(3, True, name="t"), b.take_many(unknown(tf)(1))]
    for each in taken:
        stage.say(type(each).__name__, each._fields, [str(v.shape) for v in tf.nest.flatten(each)])
    stage.attempt(b.take_many, 1, False, 5)
    stage.attempt(b.insert_many, 0, ["a", "b"], [1.0])
    stage.attempt(b.insert_many, 0, "a", 1.0)
    stage.say(b.insert_many(0, ["a"], [1.0], "i").name, b.close(True, "c").name, b.close().name)
    stage.say(b.ready_size(), b.ready_size("r"), b.incomplete_size(), b.incomplete_size("j"))
    stage.say(b.barrier_ref.dtype.name, b.barrier_ref.shape)
    handle = b.barrier_ref
    with tf.Session() as session:
        run = lambda *x: stage.attempt(session.run, *x)  # noqa: E731
        run(handle)
        run(b.insert_many(2, ["a"], [1.0]))
        run(b.insert_many(0, ["a"], [1]))
        run(b.insert_many(1, ["a"], [["x", "y"]]))
        run(b.insert_many(1, ["c", "a"], [["x", "y"]] * 2))
        run([b.incomplete_size(), b.ready_size()])
        run(b.insert_many(0, unknown(tf)(np.array(["a", "q"], object)), np.zeros([2, 0], "f")))
        run(b.insert_many(0, np.zeros([0], object), np.zeros([0], "f")))
        run(b.insert_many(1, ["d"], [["x", "y", "z"]]))
        run(b.insert_many(0, ["d"], [4.0]))
        run(b.insert_many(0, ["c", "a"], [5.0, 6.0]))
        run([b.incomplete_size(), b.ready_size()])
        run(b.take_many(1))
        run(
            raw.BarrierTakeMany(
                handle=handle,
                num_elements=unknown(tf)([1]),
                component_types=[tf.float32, tf.string],
            )
        )
        run(raw.BarrierTakeMany(handle=handle, num_elements=1, component_types=[tf.float32]))
        run(
            raw.BarrierTakeMany(
                handle=handle, num_elements=1, component_types=[tf.float32, tf.string], timeout_ms=5
            )
        )
        run(b.close())
        run(b.insert_many(0, ["new"], [4.0]))
        run(b.take_many(5, allow_small_batch=True))
        run(b.close())
    with tf.Session() as session:
        for given in (
            {"component_types": [tf.float32]},
            {"component_types": [tf.float32], "shapes": [[]], "capacity": 3},
            {"component_types": [tf.float32], "shapes": [[]], "shared_name": "s"},
            {"component_types": [tf.int32], "shapes": [[]], "shared_name": "s"},
            {"component_types": [tf.float32], "shapes": [[]], "shared_name": "s", "container": "c"},
        ):
            made = raw.Barrier(**given)
            stage.attempt(session.run, raw.BarrierReadySize(handle=made))
    stage.brief_graph(names=False)


def _barrier(tf):
    its = tf.__name__ == "tensorflow"
    name = "tensorflow.python.ops.data_flow_ops" if its else "tfmini._src.ops.queues.barrier"
    return importlib.import_module(name).Barrier


def accumulators_made(tf, stage):
    dense, sparse = tf.ConditionalAccumulator, tf.SparseConditionalAccumulator
    with tf.name_scope("scope"):
        a = dense(tf.float64, [2], name="a")
        b = sparse(tf.float32, [3, 2], name="b", reduction_type="SUM")
    stage.say(a.name, a.dtype, a.accumulator_ref.name, a.accumulator_ref.shape, b.name, b.dtype)
    slices = tf.IndexedSlices(
        tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([0, 2]), tf.constant([3, 2])
    )
    no_shape = tf.IndexedSlices(slices.values, slices.indices)
    apply = b.apply_indexed_slices_grad
    taken = b.take_indexed_slices_grad(1, "taken")
    stage.say(type(taken).__name__, taken.values.name, taken.indices.name, taken.dense_shape.name)
    parts = taken.indices, taken.values, taken.dense_shape
    with tf.Session() as session:
        run = lambda *x: stage.attempt(session.run, *x)  # noqa: E731
        for each in (apply(slices), apply(slices, 1, "ap"), apply(no_shape), b.num_accumulated()):
            run(each)
        run(parts)
        run(apply(slices))  # of step 0, which has ended
        run(b.num_accumulated())
        run(apply(slices, 1))
        run(b.apply_grad([1], [[5.0, 6.0]], [3, 2], 1))
        run(parts)
        grad = lambda *x, **k: run(b.apply_grad(*x, local_step=9, **k))  # noqa: E731
        grad([[1]], [[5.0, 6.0]])
        grad([1], 5.0)
        grad([1], [[5.0, 6.0], [7.0, 8.0]])
        grad([1], [[5.0]])
        grad([1], [5.0])
        grad([3], [[5.0, 6.0]])
        grad([1], [[5.0, 6.0]], [3])
        grad([1], [[5.0, 6.0]], [4, 2])
        grad([1], [[5.0, 6.0]], [3, 3])
        grad([1], [[5.0, 6.0]])
        grad([1], [[[5.0, 6.0]]])
        grad(np.zeros([0], "i8"), np.zeros([0, 2], "f"))
        grad([2, 1], [[1.0, 1.0], [2.0, 2.0]])
        run(b.num_accumulated())
        run(b.take_grad(0)), run(b.take_grad(2))
        run(a.apply_grad([1.0, 2.0])), run(a.apply_grad([2.0, 4.0], tf.constant(5)))
        run(a.take_grad(2)), run(a.num_accumulated())
        run(a.apply_grad([1.0, 2.0])), run(a.num_accumulated())
        run(a.apply_grad([1.0, 2.0], 1)), run(a.set_global_step(4)), run(a.num_accumulated())
        run(a.apply_grad(unknown(tf)(np.array([1.0])), 4))
        run(a.apply_grad([1.0, 2.0], 3)), run(a.num_accumulated()), run(a.take_grad(-1))
        run(a.accumulator_ref if a.accumulator_ref.dtype != tf.resource else a.num_accumulated())
    stage.brief_graph(names=False)


def mutexes(tf, stage):
    raw = tf.raw_ops
    mutex, same = raw.MutexV2(shared_name="m", name="m"), raw.MutexV2(shared_name="m")
    apart = raw.MutexV2(shared_name="m", container="c")
    order = []

    def use(handle, word):
        lock = raw.MutexLock(mutex=handle)
        with tf.control_dependencies([lock]):
            said = tf.py_func(lambda: np.int32(order.append(word) or len(order)), [], tf.int32)
        with tf.control_dependencies([said]):
            done = raw.ConsumeMutexLock(mutex_lock=lock)
        with tf.control_dependencies([done]):
            return tf.identity(said)

    first, second, third = use(mutex, "a"), use(same, "b"), use(apart, "c")
    fails = raw.MutexLock(mutex=mutex)
    with tf.control_dependencies([fails]):
        wrong = tf.check_numerics(np.nan, "wrong")
    with tf.Session() as session:
        for fetch in (first, second, third, wrong, first, fails.op, second):
            stage.attempt(session.run, fetch)
        stage.say(sorted(session.run([first, second, third])), len(order))
        stage.attempt(session.run, raw.ConsumeMutexLock(mutex_lock=raw.MutexLock(mutex=mutex)))
    stage.say(mutex.shape, fails.shape, fails.dtype.name)
    stage.brief_graph(names=False)
