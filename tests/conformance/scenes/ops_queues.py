"""Queues, barriers, accumulators, staging areas: closed, cancelled, shared, reused, with mismatched elements."""

import numpy as np


def _runs(tf, stage, *fetches):
    session = tf.get_default_session()
    for fetch in fetches:
        stage.attempt(session.run, fetch)


def _short_session(tf):
    """A session with an operation timeout, so that no step blocks forever."""
    return tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=60_000))


def _of_kinds(scene):
    """A scene for each kind of queue."""
    kinds = {
        "fifo": lambda tf, *a, **k: tf.FIFOQueue(*a, **k),
        "shuffled": lambda tf, size, *a, **k: tf.RandomShuffleQueue(size, 0, *a, seed=3, **k),
        "priority": lambda tf, *a, **k: _Priority(tf, *a, **k),
        "padded": lambda tf, *a, **k: tf.PaddingFIFOQueue(*a, **k),
    }
    for kind, make in kinds.items():

        def made(tf, stage, make=make):
            with tf.Session():
                scene(tf, stage, lambda *a, **k: make(tf, *a, **k))

        made.__module__ = __name__
        globals()[f"{scene.__name__[1:]}_{kind}"] = made


def _Priority(tf, size, types, shapes=None, **options):
    return tf.PriorityQueue(size, types, shapes or (), **options)


def _item(queue, number):
    rest = [float(number)]
    return [np.int64(-number), *rest] if type(queue).__name__ == "PriorityQueue" else rest


@_of_kinds
def _closed_and_drained(tf, stage, make):
    queue = make(4, [tf.float32], shapes=[()], name="q")
    take, take_two = queue.dequeue(), queue.dequeue_many(2)
    _runs(tf, stage, *[queue.enqueue(_item(queue, n)) for n in (1, 2, 3)], queue.size())
    _runs(tf, stage, queue.is_closed(), queue.close(), queue.is_closed(), queue.close())
    _runs(tf, stage, queue.enqueue(_item(queue, 4)), take, take_two, take, queue.size(), take_two)
    _runs(tf, stage, queue.dequeue_up_to(3), queue.close(cancel_pending_enqueues=True))


@_of_kinds
def _some_left_at_the_end(tf, stage, make):
    queue = make(5, [tf.float32], shapes=[()], name="q")
    _runs(tf, stage, *[queue.enqueue(_item(queue, n)) for n in (1, 2, 3)], queue.close())
    _runs(tf, stage, queue.dequeue_many(4), queue.size(), queue.dequeue_up_to(2))
    _runs(tf, stage, queue.dequeue_up_to(1), queue.dequeue_up_to(2), queue.dequeue_many(0))


@_of_kinds
def _cancelled_while_waiting(tf, stage, make):
    queue = make(1, [tf.float32], shapes=[()], name="q")
    session = tf.get_default_session()
    put, close = queue.enqueue(_item(queue, 1)), queue.close(cancel_pending_enqueues=True)
    stop = tf.RunOptions(timeout_in_ms=20)
    session.run(put)
    stage.attempt(session.run, put, options=stop)
    session.run(close)
    stage.attempt(session.run, put)
    _runs(tf, stage, queue.size(), queue.dequeue(), queue.dequeue())


@_of_kinds
def _shared_by_name(tf, stage, make):
    one = make(3, [tf.float32], shapes=[()], shared_name="s", name="one")
    two = make(3, [tf.float32], shapes=[()], shared_name="s", name="two")
    _runs(tf, stage, one.enqueue(_item(one, 1)), two.size(), two.dequeue(), one.size())
    other = make(3, [tf.int32], shapes=[()], shared_name="s", name="other")
    longer = make(4, [tf.float32], shapes=[()], shared_name="s", name="longer")
    _runs(tf, stage, other.size(), longer.size(), one.size())
    with tf.Session() as session:
        stage.attempt(session.run, one.size())


@_of_kinds
def _given_what_does_not_fit(tf, stage, make):
    queue = make(3, [tf.float32, tf.int32], shapes=[(), (2,)], name="q")
    first = [np.int64(0)] if type(queue).__name__ == "PriorityQueue" else []
    for items in (
        [1.0],
        [1.0, [1, 2], 3],
        [[1.0], [1, 2]],
        [1.0, [1]],
        ["a", [1, 2]],
        [1.0, [1.5, 2]],
    ):
        stage.attempt(lambda items=items: queue.enqueue(first + items).name)
    for items in ([[1.0], [[1, 2]]], [[1.0, 2.0], [[1, 2]]], [1.0, [1, 2]]):
        many = [[np.int64(0)]] if first else []
        stage.attempt(lambda items=items, many=many: queue.enqueue_many(many + items).name)
    x = tf.placeholder(tf.int32, name="x")
    with stage.failing():
        put = queue.enqueue([*first, 1.0, x])
        stage.attempt(tf.get_default_session().run, put, {x: [1]})
        stage.attempt(tf.get_default_session().run, put, {x: [1, 5]})
    _runs(tf, stage, queue.size())
    stage.attempt(lambda: [t.shape for t in queue.dequeue()])
    stage.attempt(lambda: [t.shape for t in queue.dequeue_many(2)])
    stage.attempt(lambda: [t.shape for t in queue.dequeue_up_to(2)])
    stage.attempt(lambda: queue.dequeue_many(-1).name)
    stage.say(queue.dtypes, queue.shapes, queue.names, queue.name)


def queues_by_index(tf, stage):
    queues = [tf.FIFOQueue(2, tf.int32, name="q"), tf.FIFOQueue(2, tf.int32, name="q")]
    n = tf.placeholder(tf.int32, [], name="n")
    chosen = tf.QueueBase.from_list(n, queues)
    with tf.Session() as session:
        session.run([q.enqueue(i) for i, q in enumerate(queues)])
        for number in (1, 0, 2, -1):
            stage.attempt(session.run, chosen.size(), {n: number})
        stage.attempt(session.run, chosen.dequeue(), {n: 1})
    stage.attempt(tf.QueueBase.from_list, 0, [queues[0], tf.FIFOQueue(2, tf.float32)])
    stage.attempt(tf.QueueBase.from_list, 0, [queues[0], 1])
    stage.attempt(tf.QueueBase.from_list, 0, [])


def shuffled_with_a_floor(tf, stage):
    queue = tf.RandomShuffleQueue(10, 3, [tf.int32], [()], seed=1, name="q")
    stop = tf.RunOptions(timeout_in_ms=20)
    with tf.Session() as session:
        session.run(queue.enqueue_many([list(range(5))]))
        stage.attempt(session.run, queue.dequeue())
        stage.attempt(session.run, queue.dequeue())
        stage.attempt(session.run, queue.dequeue(), options=stop)
        stage.attempt(session.run, queue.size())
        session.run(queue.close())
        stage.attempt(session.run, queue.dequeue_many(2))
        stage.attempt(session.run, queue.size())
        stage.attempt(session.run, queue.dequeue_many(9))
    stage.attempt(tf.RandomShuffleQueue, 2, 3, tf.int32)
    for capacity, floor in ((2, 3), (0, 0), (-1, 2)):
        bad = tf.RandomShuffleQueue(capacity, floor, [tf.int32], [()])
        with tf.Session() as session:
            stage.attempt(session.run, bad.size())


def barriers(tf, stage):
    barrier = tf.Barrier if hasattr(tf, "Barrier") else None
    from_ops = tf.raw_ops
    handle = from_ops.Barrier(component_types=[tf.int32, tf.string], shapes=[[], []], capacity=-1)
    stage.say(barrier is None, handle.dtype)

    def put(key, component, value):
        return from_ops.BarrierInsertMany(
            handle=handle, keys=[key], values=[value], component_index=component
        )

    def take(number, partly=False):
        return from_ops.BarrierTakeMany(
            handle=handle,
            num_elements=number,
            component_types=[tf.int32, tf.string],
            allow_small_batch=partly,
        )

    sizes = [
        from_ops.BarrierReadySize(handle=handle),
        from_ops.BarrierIncompleteSize(handle=handle),
    ]
    with _short_session(tf) as session:
        for op in (put("a", 0, 1), put("b", 0, 2), put("a", 1, "x\0"), put("a", 0, 5)):
            stage.attempt(session.run, op)
            stage.attempt(session.run, sizes)
        stage.attempt(session.run, take(1))
        stage.attempt(session.run, put("c", 2, "x"))
        stage.attempt(session.run, from_ops.BarrierClose(handle=handle))
        stage.attempt(session.run, put("b", 1, "late"))
        stage.attempt(session.run, put("new", 0, 1))
        stage.attempt(session.run, sizes)
        stage.attempt(session.run, take(2), options=tf.RunOptions(timeout_in_ms=20))
        stage.attempt(session.run, take(2, partly=True))
        stage.attempt(session.run, take(2, partly=True))
        stage.attempt(
            session.run, from_ops.BarrierClose(handle=handle, cancel_pending_enqueues=True)
        )
        stage.attempt(session.run, put("a", 0, 1))


def accumulators(tf, stage):
    total = tf.ConditionalAccumulator(tf.float32, [2], shared_name="a", name="acc")
    step = tf.placeholder(tf.int64, [], name="step")
    x = tf.placeholder(tf.float32, name="x")
    put, mean, count = total.apply_grad(x, step), total.take_grad(2), total.num_accumulated()
    stop = tf.RunOptions(timeout_in_ms=20)
    with _short_session(tf) as session:
        for given, at in (([1.0, 2.0], 0), ([3.0, 4.0], 0), ([1.0], 0), ([[1.0, 2.0]], 0)):
            stage.attempt(session.run, put, {x: given, step: at})
        stage.attempt(session.run, [count])
        stage.attempt(session.run, mean)
        stage.attempt(session.run, mean, options=stop)
        stage.attempt(session.run, put, {x: [9.0, 9.0], step: 0})
        stage.attempt(session.run, count)
        stage.attempt(session.run, total.set_global_step(5))
        stage.attempt(session.run, put, {x: [9.0, 9.0], step: 4})
        stage.attempt(session.run, put, {x: [9.0, 9.0], step: 5})
        stage.attempt(session.run, count)
        stage.attempt(session.run, total.set_global_step(3))
        stage.attempt(session.run, total.take_grad(0))
        stage.attempt(session.run, total.take_grad(1))
    with _short_session(tf) as session:
        stage.attempt(session.run, count)
    stage.attempt(total.apply_grad, [1.0])
    stage.attempt(total.apply_grad, [1, 2])
    stage.attempt(tf.ConditionalAccumulator, tf.float32, reduction_type="MAX")


def sparse_accumulators(tf, stage):
    total = tf.SparseConditionalAccumulator(tf.float32, [None, 2], name="acc")
    i = tf.placeholder(tf.int64, [None], name="i")
    x = tf.placeholder(tf.float32, name="x")
    put = total.apply_grad(i, x, local_step=0)
    with _short_session(tf) as session:
        for at, rows in (([1, 3], 1.0), ([3], 4.0), ([0, 0], 2.0), ([], 0.0)):
            stage.attempt(session.run, put, {i: at, x: np.full([len(at), 2], rows)})
        stage.attempt(session.run, put, {i: [1], x: [[1.0]]})
        stage.attempt(session.run, put, {i: [1, 2], x: [[1.0, 2.0]]})
        stage.attempt(session.run, total.num_accumulated())
        stage.attempt(session.run, total.take_indexed_slices_grad(2))
        stage.attempt(session.run, total.num_accumulated())
    stage.attempt(total.apply_indexed_slices_grad, tf.constant([1.0]))
    stage.attempt(total.apply_grad, None, [[1.0, 2.0]])
    slices = tf.IndexedSlices(
        tf.ones([1, 2]), tf.constant([7], tf.int64), tf.constant([9, 2], tf.int64)
    )
    with _short_session(tf) as session:
        stage.attempt(session.run, total.apply_indexed_slices_grad(slices))
        stage.attempt(session.run, total.take_grad(1))


def staged(tf, stage):
    area = tf.contrib.staging.StagingArea([tf.float32, tf.int32], shapes=[[], [2]], capacity=2)
    with _short_session(tf) as session:
        for number in (1.0, 2.0):
            stage.attempt(session.run, area.put([tf.constant(number), tf.constant([1, 2])]))
        stage.attempt(session.run, [area.size(), area.peek(1)])
        stage.attempt(session.run, area.get())
        stage.attempt(session.run, area.size())
        stage.attempt(session.run, [area.put([tf.constant(1.0), tf.constant([1, 2])])])
        stage.attempt(session.run, area.clear())
        stage.attempt(session.run, area.size())
    with _short_session(tf) as session:
        stage.attempt(session.run, area.size())
    for wrong in ([1.0], [1.0, [1]], ["a", [1, 2]], [1.0, [1, 2], 3]):
        stage.attempt(lambda wrong=wrong: area.put(list(map(tf.constant, wrong))).name)
    stage.say(area.names, area.dtypes, area.shapes, area.capacity, area.memory_limit)
