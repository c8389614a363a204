"""Collective operations with another rank whose arrays are ten times as large."""

import numpy as np
import pytest

import tfmini as tf
from tests.distribute.horovod.beside_ten import run, shown
from tfmini._src.distribute.horovod import tensorflow as hvd
from tfmini._src.distribute.horovod.ops import running


def test_sums_and_means(beside):
    x, n = tf.constant([1.0, 2.0]), tf.constant([[3, -5]])
    half, double = tf.constant([1.5], tf.float16), tf.constant(1 / 3, tf.float64)
    result = {
        "mean": (hvd.allreduce(x), [5.5, 11.0]),
        "average": (hvd.allreduce(x, average=True), [5.5, 11.0]),
        "no average": (hvd.allreduce(x, False), [11.0, 22.0]),
        "sum": (hvd.allreduce(x, op=hvd.Sum), [11.0, 22.0]),
        "mean by op": (hvd.allreduce(x, op=hvd.Average), [5.5, 11.0]),
        "adasum": (hvd.allreduce(x, op=hvd.Adasum), [100.0, 200.0]),
        "scaled before": (hvd.allreduce(x, op=hvd.Sum, prescale_factor=0.5), [5.5, 11.0]),
        "scaled behind": (hvd.allreduce(x, op=hvd.Sum, postscale_factor=3.0), [33.0, 66.0]),
        "scaled adasum": (hvd.allreduce(x, op=hvd.Adasum, postscale_factor=2.0), [200.0, 400.0]),
        "integers": (hvd.allreduce(n), [[16, -28]]),  # 33 and -55 halved, rounded down
        "sums of integers": (hvd.allreduce(tf.cast(n, tf.int64), op=hvd.Sum), [[33, -55]]),
        "halves": (hvd.allreduce(half), [8.25]),
        "doubles": (hvd.allreduce(double, op=hvd.Sum), 11 / 3),
        "list": (hvd.allreduce([1.0, 0.0]), [5.5, 0.0]),
        "variable": (hvd.allreduce(tf.Variable([2.0])), [11.0]),
        "empty": (hvd.allreduce(tf.zeros([0, 3])), np.zeros([0, 3])),
    }
    actual = run({name: tensor for name, (tensor, _) in result.items()})
    for name, (tensor, expected) in result.items():
        np.testing.assert_allclose(actual[name], expected, rtol=1e-6, err_msg=name)
        assert actual[name].dtype == tensor.dtype.as_numpy_dtype
        assert actual[name].shape == tuple(tensor.shape.as_list()), name


def test_compression_and_device_placement(beside):
    x = tf.constant([1.0, 2.0])
    rows = tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([0, 4]), tf.constant([5, 1]))
    fp16 = hvd.Compression.fp16
    dense = hvd.allreduce(x, device_dense="/cpu:7", device_sparse="/cpu:6", name="own")
    short = hvd.allreduce(x, compression=fp16, op=hvd.Sum, name="short")
    adasum = hvd.allreduce(tf.constant([1.0], tf.float64), op=hvd.Adasum, compression=fp16)
    whole = hvd.allreduce(tf.constant([3]), compression=fp16, op=hvd.Sum, name="whole")
    sparse = hvd.allreduce(rows, device_dense="/cpu:7", device_sparse="/cpu:6")
    sums = hvd.allreduce(rows, op=hvd.Sum)
    graph = tf.get_default_graph()
    assert graph.get_operation_by_name("own").device == dense.device == "/device:CPU:7"
    assert {op.device for op in (sparse.values.op, sparse.indices.op)} == {"/device:CPU:6"}
    assert short.dtype == tf.float32 and adasum.dtype == tf.float64 and whole.dtype == tf.int32
    assert shown(run([short, adasum, whole])) == [[11.0, 22.0], [100.0], [33]]
    sent = {entry[1]: entry[2] for entry in beside.seen if entry[0] in ("sum", "adasum")}
    assert sent.pop("short") == [("float16", 2)] and sent.pop("whole") == [("int32", 1)]
    assert list(sent.values()) == ["float16"]
    result = run(sums)
    indices, values = [0, 4, 0, 4], [[1.0], [2.0], [10.0], [20.0]]
    if beside.rank:
        values = values[2:] + values[:2]
    assert (shown(result.indices), shown(result.values)) == (indices, values)
    assert shown(result.dense_shape) == [5, 1]
    with graph.device("/cpu:0"):
        mean = hvd.allreduce(rows)
    assert shown(run(mean.values)) == [[row[0] / 2] for row in values]


def test_grouped_allreduce(first, monkeypatch):
    x, y, n = tf.constant([1.0, 2.0]), tf.constant([[3.0]]), tf.constant([4])
    rows = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([2]))
    means = hvd.grouped_allreduce([x, n, rows, y], device_dense="/cpu:0")
    sums = hvd.grouped_allreduce([y, x], False)
    scaled = hvd.grouped_allreduce([x], op=hvd.Sum, prescale_factor=2.0, postscale_factor=5.0)
    short = hvd.grouped_allreduce([x, n], op=hvd.Sum, compression=hvd.Compression.fp16)
    adasum = hvd.grouped_allreduce([x, y], op=hvd.Adasum)
    assert [str(each.shape) for each in (means[0], means[1], means[3])] == [
        "(2,)",
        "(1,)",
        "(1, 1)",
    ]
    assert shown(run(means[:2] + means[3:])) == [[5.5, 11.0], [22], [[16.5]]]
    assert [entry[2:] for entry in first.seen] == [
        ([("float32", 3)], [(2,), (1, 1)]),
        ([("int32", 1)], [(1,)]),
    ] or [entry[2:] for entry in first.seen] == [
        ([("int32", 1)], [(1,)]),
        ([("float32", 3)], [(2,), (1, 1)]),
    ]
    assert isinstance(means[2], tf.IndexedSlices)
    assert sorted(run(means[2].values).ravel().tolist()) == [0.5, 5.0]
    assert shown(run(sums)) == [[[33.0]], [11.0, 22.0]]
    assert shown(run(scaled)) == [[110.0, 220.0]]
    assert shown(run(short)) == [[11.0, 22.0], [44]]
    assert shown(run(adasum)) == [[100.0, 200.0], [[300.0]]]
    assert hvd.grouped_allreduce([]) == []
    first.seen.clear()
    monkeypatch.setenv("HOROVOD_FUSION_THRESHOLD", "8")
    assert shown(run(hvd.grouped_allreduce([x, y, y], op=hvd.Sum))) == [[11, 22], [[33]], [[33]]]
    assert first.seen[0][2:] == ([("float32", 2), ("float32", 2)], [(2,), (1, 1), (1, 1)])
    graph = tf.get_default_graph()
    kinds = [op.device for op in graph.get_operations() if op.type == "HorovodGroupedAllreduce"]
    assert kinds[:2] == ["/device:CPU:0"] * 2 and set(kinds[2:]) == {""}
    with pytest.raises(ValueError, match="supersedes average"):
        hvd.grouped_allreduce([x], True, op=hvd.Sum)


def test_gather_broadcast_and_alltoall(beside):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    fed = tf.placeholder(tf.float32, [None, 3])
    gathered = hvd.allgather(x, name="rows")
    first, second = hvd.broadcast(x, 0, "first"), hvd.broadcast(x, 1)
    sent, uneven = hvd.alltoall(x, name="sent"), hvd.alltoall(x, splits=[2, 0])
    assert [str(each.shape) for each in (gathered, first, sent)] == ["(?, 2)", "(2, 2)", "(?, 2)"]
    assert [str(f(fed).shape) for f in (hvd.allgather, hvd.alltoall)] == ["(?, 3)"] * 2
    assert hvd.allgather(tf.placeholder(tf.int32)).shape.ndims is None
    assert [each.op.name for each in (gathered, first, sent)] == ["rows", "first", "sent"]
    one, ten = [[1.0, 2.0], [3.0, 4.0]], [[10.0, 20.0], [30.0, 40.0]]
    both = [one, ten] if beside.rank == 0 else [ten, one]
    result = shown(run([gathered, first, second, sent, uneven]))
    assert result[:3] == [both[0] + both[1], both[0], both[1]]
    assert result[3] == [part[beside.rank] for part in both]
    assert result[4] == ([] if beside.rank else both[0] + both[1])
    calls = {entry[:2]: entry[2:] for entry in beside.seen}
    assert calls[("all_to_all", "sent")] == ([1, 1],) and calls[("broadcast", "first")] == (0,)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="3 rows cannot be split evenly among 2 proc"
    ):
        run(hvd.alltoall([1, 2, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"splits are \[1\]: they must be 2"):
        run(hvd.alltoall([1], splits=[1]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="root_rank is 2, but there are 2"):
        run(hvd.broadcast([1], 2))
    run(hvd.join())
    assert beside.seen[-1] == ("join",)
    assert shown(run([hvd.rank_op(), hvd.size_op(), hvd.local_size_op()])) == [beside.rank, 2, 1]


def test_gradients(beside):
    x = tf.constant([[1.0], [2.0]])
    weights = tf.constant([[1.0], [2.0], [4.0], [8.0]])
    first = beside.rank == 0
    sent = [[1.0], [10.0]] if first else [[20.0], [2.0]]  # for the row from this rank
    cases = {
        "mean": (hvd.allreduce(x) * weights[:2], [[5.5], [11.0]]),
        "sum": (hvd.allreduce(x, op=hvd.Sum) * weights[:2], [[11.0], [22.0]]),
        "grouped": (hvd.grouped_allreduce([x, x], op=hvd.Sum)[0], [[11.0], [11.0]]),
        "adasum": (hvd.allreduce(x, op=hvd.Adasum) * weights[:2], [[100.0], [200.0]]),
        "sent": (hvd.alltoall(x) * weights[:2], sent),
        "gathered": (hvd.allgather(x) * weights, [[11.0], [22.0]] if first else [[44.0], [88.0]]),
    }
    for root in (0, 1):
        own = [[11.0], [22.0]] if root == beside.rank else [[0.0], [0.0]]
        cases[f"root {root}"] = hvd.broadcast(x, root) * weights[:2], own
    actual = run({name: tf.gradients(y, x)[0] for name, (y, _) in cases.items()})
    for name, (_, expected) in cases.items():
        assert actual[name].tolist() == expected, name
    assert tf.gradients(hvd.rank_op(), x) == [None]


def test_objects(beside):
    mine = {"a": [beside.rank]}
    assert hvd.broadcast_object(mine, beside.rank) is mine
    beside.gather = lambda name, value: np.concatenate([value, value])
    assert hvd.allgather_object(mine, name="x") == [mine, mine]
    for root in (2, -1):
        with pytest.raises(ValueError, match=f"root_rank is {root}, but there are 2 processes"):
            hvd.broadcast_object_fn(root)(1)
    names = []

    def gather(name, value):
        names.append((name, len(value)))
        return np.frombuffer(b"\x80\x03K\x07.", np.uint8)  # 7, pickled

    beside.gather = gather
    assert hvd.broadcast_object("not looked at", 1 - beside.rank, name="seven") == 7
    assert hvd.broadcast_object_fn(1 - beside.rank)("not looked at") == 7
    assert names == [("broadcast_object seven", 0), ("broadcast_object None", 0)]


def test_variables_are_broadcast_from_root(beside):
    v, w = tf.get_variable("v", initializer=[1.0]), tf.get_variable("w", initializer=2)
    local = tf.get_variable("local", initializer=3, collections=["local_variables"])
    all_of_them = hvd.broadcast_global_variables(1 - beside.rank)
    some, own = (
        hvd.broadcast_variables([w], 1 - beside.rank),
        hvd.broadcast_variables([v, w], beside.rank),
    )
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), local.initializer])
        seen = [shown(session.run([v, w, local]))]
        for op in (own, some, all_of_them):
            session.run(op)
            seen.append(shown(session.run([v, w, local])))
    assert seen == [[[1.0], 2, 3], [[1.0], 2, 3], [[1.0], 20, 3], [[10.0], 200, 3]]


def test_shutdown_closes_once(beside):
    assert hvd.is_initialized() and hvd.gloo_enabled() and not hvd.mpi_threads_supported()
    assert (hvd.rank(), hvd.size(), hvd.local_rank(), hvd.local_size()) == (beside.rank, 2, 0, 1)
    hvd.init()
    assert running == [beside]
    hvd.shutdown()
    hvd.shutdown()
    assert beside.seen == [("close",)] and not hvd.is_initialized()
