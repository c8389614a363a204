"""Shapes known only at run time: accumulators, lists, arrays, stacks, queues by raw ops; errors."""

import numpy as np

from tests.conformance.scenes import unknown


def accumulators(tf, stage):
    raw, fed, i8 = tf.raw_ops, unknown(tf), np.int64
    sums = raw.ResourceConditionalAccumulator if hasattr(raw, "none") else None
    stage.say(sums is None)
    plain = tf.ConditionalAccumulator(tf.float64, [None, 2], "s", "acc", "SUM")
    means = tf.ConditionalAccumulator(tf.float16, name="means")
    sparse = tf.SparseConditionalAccumulator(tf.float32, [3, None], reduction_type="SUM")
    value = lambda *rows, kind="d": fed(np.array(rows, kind))  # noqa: E731
    cases = {
        "put": lambda: plain.apply_grad(value([1, 2])),
        "put_longer": lambda: plain.apply_grad(value([1, 2], [3, 4])),
        "put_wide": lambda: plain.apply_grad(value([1, 2, 3])),
        "put_flat": lambda: plain.apply_grad(value(1, 2)),
        "put_again": lambda: plain.apply_grad(value([0.1, 1e300]), 7, "own"),
        "count": lambda: plain.num_accumulated("own_count"),
        "taken": lambda: plain.take_grad(1, "own_take"),
        "stale": lambda: plain.apply_grad(value([1, 2]), 0),
        "count_stale": lambda: plain.num_accumulated(),
        "step_matrix": lambda: plain.set_global_step(fed(i8([[3]]))),
        "step": lambda: plain.set_global_step(fed(i8(3)), "own_step"),
        "step_back": lambda: plain.set_global_step(1),
        "at_step": lambda: plain.apply_grad(value([5, 6]), fed(i8(3))),
        "taken_at_step": lambda: plain.take_grad(fed(np.int32(1))),
        "means": lambda: means.apply_grad(value(1, 2, kind=np.float16)),
        "means_again": lambda: means.apply_grad(value(2, 5, kind=np.float16)),
        "means_taken": lambda: means.take_grad(1),
        "means_other": lambda: means.apply_grad(value(2, 5, 7, kind=np.float16), 1),
        "means_other_taken": lambda: means.take_grad(1),
        "kind": lambda: means.apply_grad(value(1.0)),
        "sparse": lambda: sparse.apply_grad(value(0, 2, kind=i8), value([1, 2], [3, 4], kind="f")),
        "sparse_far": lambda: sparse.apply_grad(value(3, kind=i8), value([1, 2], kind="f")),
        "sparse_shape": lambda: sparse.apply_grad(
            value(1, kind=i8), value([1, 2], kind="f"), value(3, 2, kind=i8), name="own_sparse"
        ),
        "sparse_other_shape": lambda: sparse.apply_grad(
            value(1, kind=i8), value([1, 2], kind="f"), value(4, 2, kind=i8)
        ),
        "sparse_wide": lambda: sparse.apply_grad(value(1, kind=i8), value([1, 2, 3], kind="f")),
        "sparse_count": lambda: sparse.num_accumulated(),
        "sparse_taken": lambda: sparse.take_grad(2, "own_sparse_take"),
        "sparse_slices": lambda: sparse.apply_indexed_slices_grad(
            tf.IndexedSlices(value([7, 8], kind="f"), value(2, kind=i8)), fed(i8(9)), "own_slices"
        ),
        "put_at_matrix": lambda: plain.apply_grad(value([1, 2]), fed(i8([[3]]))),
        "sparse_slices_taken": lambda: tuple(sparse.take_indexed_slices_grad(1)),
    }
    stage.attempts(
        lambda: tf.ConditionalAccumulator(tf.string),
        lambda: plain.apply_grad([[1, 2]], local_step="a"),
        lambda: plain.take_grad(1.5),
    )
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=60_000)) as session:
        for name, make in cases.items():
            stage.say(name)
            stage.attempt(lambda make=make: session.run(make()))
    stage.brief_graph(names=False)


def lists(tf, stage):
    raw, fed, f = tf.raw_ops, unknown(tf), tf.float32
    reserve = lambda n, shape=-1, kind=f: raw.TensorListReserve(  # noqa: E731
        element_shape=shape, num_elements=n, element_dtype=kind
    )
    empty = lambda shape=-1, kind=f: raw.EmptyTensorList(  # noqa: E731
        element_shape=shape, max_num_elements=-1, element_dtype=kind
    )
    of = lambda value, shape=-1: raw.TensorListFromTensor(tensor=value, element_shape=shape)  # noqa: E731
    concat = lambda a, shape=-1: raw.TensorListConcatV2(  # noqa: E731
        input_handle=a, element_shape=shape, leading_dims=np.zeros([0], np.int64), element_dtype=f
    )
    length = lambda a: raw.TensorListLength(input_handle=a)  # noqa: E731
    both = lambda a, b, kind=f: raw.TensorListConcatLists(  # noqa: E731
        input_a=a, input_b=b, element_dtype=kind
    )
    push_all = lambda handles, v: raw.TensorListPushBackBatch(input_handles=handles, tensor=v)  # noqa: E731
    split = lambda v, by: raw.TensorListSplit(tensor=v, element_shape=-1, lengths=by)  # noqa: E731
    x = np.arange(6.0).reshape(3, 2).astype("f")
    cases = {
        "shape_scalar": lambda: length(reserve(1, fed(3))),
        "joined_unset": lambda: list(concat(reserve(2))),
        "split_lengths_matrix": lambda: length(split(x, fed(np.int64([[1, 2]])))),
        "split_lengths_matrix_static": lambda: length(split(x, np.int64([[1, 2]]))),
        "split_scalar": lambda: length(split(fed(np.float32(1)), np.int64([1]))),
        "split_negative": lambda: length(split(x, fed(np.int64([4, -1])))),
        "split_fewer": lambda: length(split(x, fed(np.int64([1, 1])))),
        "lists_kinds": lambda: length(both(of(x), empty(kind=tf.int32))),
        "lists_kind": lambda: length(both(of(x), of(x), tf.int32)),
        "lists_added_lengths": lambda: length(raw.AddN(inputs=[of(x), of(x[:2])])),
        "scattered_shape": lambda: length(
            raw.TensorListScatter(tensor=fed(x), indices=[0, 1, 2], element_shape=fed([3]))
        ),
        "scattered_rows": lambda: length(
            raw.TensorListScatter(tensor=fed(x), indices=fed([0, 1]), element_shape=-1)
        ),
        "scattered_before": lambda: length(
            raw.TensorListScatter(tensor=fed(x), indices=fed([0, 1, -1]), element_shape=-1)
        ),
        "resized_negative": lambda: length(raw.TensorListResize(input_handle=of(x), size=fed(-1))),
        "pushed_all_static": lambda: push_all(tf.stack([of(x), of(x)]), x).shape,
        "pushed_all_few": lambda: length(push_all(tf.stack([of(x), of(x)]), fed(x))[0]),
    }
    stage.each(cases, graph=False)


def arrays_and_stacks(tf, stage):
    raw, fed, f = tf.raw_ops, unknown(tf), tf.float32

    def array(size=3, **options):
        made = raw.TensorArrayV3(size=size, dtype=f, **options)
        return made.handle, made.flow

    def written(index=1, value=2.0, again=None, made=None):
        handle, flow = made or array()
        for at in (index, again):
            if at is not None:
                flow = raw.TensorArrayWriteV3(handle=handle, index=at, value=value, flow_in=flow)
        return handle, flow

    def read(made, index=1):
        return raw.TensorArrayReadV3(handle=made[0], index=index, flow_in=made[1], dtype=f)

    def read_and_written():
        handle, flow = written()
        with tf.control_dependencies([read((handle, flow))]):
            return raw.TensorArrayWriteV3(handle=handle, index=1, value=1.0, flow_in=flow)

    def closed(use):
        handle, flow = written(made=array(fed(3)))
        with tf.control_dependencies([flow]):
            close = raw.TensorArrayCloseV3(handle=handle)
        with tf.control_dependencies([close]):
            return use(handle, tf.identity(flow))

    def put(value, indices, **options):
        handle, flow = array(**options)
        flow = raw.TensorArrayScatterV3(handle=handle, indices=indices, value=value, flow_in=flow)
        return raw.TensorArraySizeV3(handle=handle, flow_in=flow)

    def gradient(outer=None):
        handle, flow = written(value=[1.0, 2.0], made=array(element_shape=[2]))
        if outer is None:
            made = raw.TensorArrayGradV3(handle=handle, flow_in=flow, source="g")
        else:
            made = raw.TensorArrayGradWithShape(
                handle=handle, flow_in=flow, source="g", shape_to_prepend=outer
            )
        return made.grad_handle, made.flow_out

    size = lambda handle, flow: raw.TensorArraySizeV3(handle=handle, flow_in=flow)  # noqa: E731
    x = np.float32([1, 2, 3])
    cases = {
        "written_when_read": read_and_written,
        "closed_size": lambda: closed(size),
        "closed_read": lambda: closed(lambda *a: read(a)),
        "closed_write": lambda: closed(lambda *a: written(0, made=a)[1]),
        "closed_gather": lambda: closed(
            lambda h, w: raw.TensorArrayGatherV3(handle=h, indices=[1], flow_in=w, dtype=f)
        ),
        "put": lambda: put(x, fed([2, 0, 1])),
        "put_few": lambda: put(x, fed([2, 0])),
        "put_twice": lambda: put(x, fed([0, 0, 1])),
        "put_kind": lambda: put(fed(np.float64(x)), fed([2, 0, 1])),
        "joined_shape": lambda: list(
            raw.TensorArrayConcatV3(
                handle=written(0, [[1.0]], made=array(1))[0],
                flow_in=1.0,
                dtype=f,
                element_shape_except0=[2],
            )
        ),
        "slope_outer_added": lambda: read(written(1, np.ones([3, 2], "f"), 1, gradient([3]))),
        "slope_outer_wrong": lambda: read(written(1, np.ones([2, 2], "f"), 1, gradient([3]))),
        "slope_of_slope": lambda: (
            raw.TensorArrayGradV3(handle=gradient()[0], flow_in=1.0, source="h").flow_out
        ),
    }
    stage.each(cases, graph=False)

    def pushed(*values, most=-1, kind=f):
        handle = raw.StackV2(max_size=most, elem_type=kind)
        last = tf.no_op()
        for value in values:
            with tf.control_dependencies([last]):
                last = raw.StackPushV2(handle=handle, elem=value)
        return handle, last

    def popped(made, times=1, kind=f):
        handle, last = made
        found = []
        for _ in range(times):
            with tf.control_dependencies([last, *found[-1:]]):
                found.append(raw.StackPopV2(handle=handle, elem_type=kind))
        return found

    def old(times, kind=f):
        handle = raw.Stack(elem_type=kind, stack_name="s")
        with tf.control_dependencies([raw.StackPush(handle=handle, elem=1.5)]):
            push = raw.StackPush(handle=handle, elem=2.5)
        found = [push]
        for _ in range(times):
            with tf.control_dependencies(found[-1:]):
                found.append(raw.StackPop(handle=handle, elem_type=f))
        with tf.control_dependencies(found[-1:]):
            end = raw.StackClose(handle=handle)
        with tf.control_dependencies([end]):
            return found[1:] + [tf.constant(0)]

    cases = {
        "words": lambda: popped(pushed("a", ["b"], kind=tf.string), 2, tf.string),
        "old": lambda: old(2),
        "old_more": lambda: old(3),
        "old_kind": lambda: old(1, tf.int32),
    }
    stage.each(cases, graph=False)


def queues(tf, stage):
    fed = unknown(tf)
    i, f = tf.int32, tf.float32
    plain = tf.FIFOQueue(2, [i, f], shapes=[[], [2]], shared_name="plain")
    loose = tf.FIFOQueue(9, [i, f])
    words = tf.RandomShuffleQueue(9, 0, [tf.string], [[]], seed=2)
    padded = tf.PaddingFIFOQueue(9, [i, tf.string], [[None], [None, 2]])
    first = tf.PriorityQueue(9, [tf.string], [[]])
    many = lambda q, *v: q.enqueue_many([fed(np.array(x, k)) for x, k in v])  # noqa: E731
    one = lambda q, *v: q.enqueue([fed(np.array(x, k)) for x, k in v])  # noqa: E731
    pairs = [[1.0, 2.0], [3.0, 4.0]]
    cases = {
        "many": lambda: many(plain, ([1, 2], "i"), (pairs, "f")),
        "many_rows": lambda: many(plain, ([1, 2], "i"), (pairs[:1], "f")),
        "many_wide": lambda: many(plain, ([1], "i"), ([[1.0, 2.0, 3.0]], "f")),
        "many_none": lambda: many(plain, (np.zeros([0]), "i"), (np.zeros([0, 2]), "f")),
        "one_wide": lambda: one(plain, (1, "i"), ([1.0], "f")),
        "one_matrix": lambda: one(plain, ([1], "i"), ([1.0, 2.0], "f")),
        "taken": lambda: plain.dequeue_many(fed(np.int32(2))),
        "taken_none": lambda: plain.dequeue_many(0),
        "taken_up_to_none": lambda: plain.dequeue_up_to(fed(np.int32(0))),
        "taken_negative": lambda: plain.dequeue_many(fed(np.int32(-1))),
        "taken_up_to_negative": lambda: plain.dequeue_up_to(fed(np.int32(-1))),
        "loose_many": lambda: many(loose, ([1, 2], "i"), (pairs, "f")),
        "loose_many_rows": lambda: many(loose, ([1, 2], "i"), (pairs[:1], "f")),
        "loose_one": lambda: one(loose, ([[7]], "i"), (2.5, "f")),
        "loose_size": lambda: loose.size(),
        "loose_taken": lambda: loose.dequeue(),
        "loose_taken_many": lambda: loose.dequeue_many(1),
        "loose_taken_up_to": lambda: loose.dequeue_up_to(1),
        "loose_last": lambda: [loose.dequeue()],
        "words": lambda: many(words, (["a", "b", "c", "d"], object)),
        "words_taken": lambda: words.dequeue_many(3),
        "words_left": lambda: words.dequeue(),
        "padded": lambda: one(padded, ([1, 2, 3], "i"), ([["a", "b"]], object)),
        "padded_short": lambda: one(padded, (np.zeros([0]), "i"), (np.zeros([0, 2]), object)),
        "padded_long": lambda: one(padded, ([4], "i"), ([["c", "d"], ["e", "f"]], object)),
        "padded_wide": lambda: one(padded, ([4], "i"), ([["c"]], object)),
        "padded_flat": lambda: one(padded, (4, "i"), ([["c", "d"]], object)),
        "padded_many": lambda: many(padded, ([[5, 6]], "i"), (np.full([1, 1, 2], "g"), object)),
        "padded_taken": lambda: padded.dequeue_many(3),
        "padded_left": lambda: padded.dequeue_up_to(1),
        "first": lambda: many(first, ([3, -1, 3, 2**40], "q"), (["a", "b", "c", "d"], object)),
        "first_other": lambda: one(first, ([1], "q"), ("a", object)),
        "first_taken": lambda: first.dequeue_many(3),
        "first_left": lambda: first.dequeue(),
        "other_capacity": lambda: tf.FIFOQueue(3, [i, f], [[], [2]], shared_name="plain").size(),
        "other_types": lambda: tf.FIFOQueue(2, [i, i], [[], [2]], shared_name="plain").size(),
        "other_kind": lambda: tf.PaddingFIFOQueue(2, [i, f], [[], [2]], shared_name="plain").size(),
        "same": lambda: tf.FIFOQueue(2, [i, f], [[], [2]], shared_name="plain").size(),
    }
    stage.attempts(
        lambda: tf.PaddingFIFOQueue(2, [i], [None]),
        lambda: tf.QueueBase([i], [[]], ["a", "b"], plain.queue_ref),
    )
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=60_000)) as session:
        for name, make in cases.items():
            stage.say(name)
            stage.attempt(lambda make=make: session.run(make()))
