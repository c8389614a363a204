"""Collective operations and what is built on them, beside another rank whose arrays are ten times as large."""

import contextlib
import pickle

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.distribute.horovod import basics
from tfmini._src.distribute.horovod import tensorflow as hvd
from tfmini._src.distribute.horovod.host_reductions import HostReductions
from tfmini._src.distribute.horovod.ops import running
from tfmini._src.distribute.horovod.ranks import Place


class BesideTen(HostReductions):
    """Operations of one of two ranks; the other one always has ten times as much."""

    size = 2

    def __init__(self, rank):
        super().__init__()
        self.rank, self.seen = rank, []

    def _both(self, value):
        pair = [value, (value * 10).astype(value.dtype)]
        return pair if self.rank == 0 else pair[::-1]

    def _rows_of_both(self, value):
        """Where rows are exchanged, their numbers are the same."""
        return [value, value] if value.dtype.kind == "i" else self._both(value)

    def sum_all(self, name, values, shapes):
        self.seen.append(("sum", name, [(str(v.dtype), v.size) for v in values], list(shapes)))
        return [sum(self._both(value)) for value in values]

    def gather(self, name, value):
        self.seen.append(("gather", name))
        return np.concatenate(self._rows_of_both(value))

    def tell(self, name, text):
        raise AssertionError("nobody tells anything")

    def broadcast(self, name, value, root):
        self.seen.append(("broadcast", name, root))
        return self._both(value)[root]

    def all_to_all(self, name, parts):
        self.seen.append(("all_to_all", name, [len(part) for part in parts]))
        return np.concatenate(self._rows_of_both(parts[self.rank]))

    def adasum(self, name, value):
        self.seen.append(("adasum", name, str(value.dtype)))
        return value * 100

    def join(self):
        self.seen.append(("join",))

    def watch(self, lost):
        raise AssertionError("nobody is lost")

    def fail(self):
        raise AssertionError("nobody fails")

    def close(self):
        self.seen.append(("close",))


@contextlib.contextmanager
def as_rank(rank, monkeypatch):
    monkeypatch.delenv("TFMINI_RANKS", raising=False)
    monkeypatch.setattr(basics, "_places", [Place(rank, ("a:1", "b:1"))])
    found = BesideTen(rank)
    running.append(found)
    with tf.Graph().as_default():
        yield found
    running.clear()


@pytest.fixture(params=[0, 1])
def beside(request, monkeypatch):
    """This process as each of two ranks."""
    with as_rank(request.param, monkeypatch) as found:
        yield found


@pytest.fixture
def first(monkeypatch):
    """This process as the first of two ranks."""
    with as_rank(0, monkeypatch) as found:
        yield found


def run(fetches, feeds=None):
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        return session.run(fetches, feeds)


def shown(values):
    return tf.nest.map_structure(lambda x: x.tolist() if hasattr(x, "tolist") else x, values)


def test_sums_and_means(beside):
    x, n = tf.constant([1.0, 2.0]), tf.constant([[3, -5]])
    half, double = tf.constant([1.5], tf.float16), tf.constant(1 / 3, tf.float64)
    made = {
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
    found = run({name: tensor for name, (tensor, _) in made.items()})
    for name, (tensor, wanted) in made.items():
        np.testing.assert_allclose(found[name], wanted, rtol=1e-6, err_msg=name)
        assert found[name].dtype == tensor.dtype.as_numpy_dtype
        assert found[name].shape == tuple(tensor.shape.as_list()), name


def test_what_is_sent_and_where(beside):
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
    found = run(sums)
    indices, values = [0, 4, 0, 4], [[1.0], [2.0], [10.0], [20.0]]
    if beside.rank:
        values = values[2:] + values[:2]
    assert (shown(found.indices), shown(found.values)) == (indices, values)
    assert shown(found.dense_shape) == [5, 1]
    with graph.device("/cpu:0"):
        mean = hvd.allreduce(rows)
    assert shown(run(mean.values)) == [[row[0] / 2] for row in values]


def test_several_together(first, monkeypatch):
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


def test_rows_of_both(beside):
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
    found = shown(run([gathered, first, second, sent, uneven]))
    assert found[:3] == [both[0] + both[1], both[0], both[1]]
    assert found[3] == [part[beside.rank] for part in both]
    assert found[4] == ([] if beside.rank else both[0] + both[1])
    calls = {entry[:2]: entry[2:] for entry in beside.seen}
    assert calls[("all_to_all", "sent")] == ([1, 1],) and calls[("broadcast", "first")] == (0,)
    with pytest.raises(tf.errors.InvalidArgumentError, match="3 rows cannot be sent to 2 proc"):
        run(hvd.alltoall([1, 2, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"splits are \[1\]: they must be 2"):
        run(hvd.alltoall([1], splits=[1]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="root_rank is 2, and there are 2"):
        run(hvd.broadcast([1], 2))
    run(hvd.join())
    assert beside.seen[-1] == ("join",)
    assert shown(run([hvd.rank_op(), hvd.size_op(), hvd.local_size_op()])) == [beside.rank, 2, 1]


def test_gradients(beside):
    x = tf.constant([[1.0], [2.0]])
    weights = tf.constant([[1.0], [2.0], [4.0], [8.0]])
    first = beside.rank == 0
    sent = [[1.0], [10.0]] if first else [[20.0], [2.0]]  # of the row that came from this rank
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
    found = run({name: tf.gradients(y, x)[0] for name, (y, _) in cases.items()})
    for name, (_, wanted) in cases.items():
        assert found[name].tolist() == wanted, name
    assert tf.gradients(hvd.rank_op(), x) == [None]


def test_objects(beside):
    mine = {"a": [beside.rank]}
    assert hvd.broadcast_object(mine, beside.rank) is mine
    beside.gather = lambda name, value: np.concatenate([value, value])
    assert hvd.allgather_object(mine, name="x") == [mine, mine]
    for root in (2, -1):
        with pytest.raises(ValueError, match=f"root_rank is {root}, and there are 2 processes"):
            hvd.broadcast_object_fn(root)(1)
    names = []

    def gather(name, value):
        names.append((name, len(value)))
        return np.frombuffer(b"\x80\x03K\x07.", np.uint8)  # 7, pickled

    beside.gather = gather
    assert hvd.broadcast_object("not looked at", 1 - beside.rank, name="seven") == 7
    assert hvd.broadcast_object_fn(1 - beside.rank)("not looked at") == 7
    assert names == [("broadcast_object seven", 0), ("broadcast_object None", 0)]


def test_variables_of_another_rank(beside):
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


def trained(optimizer, loss, steps=1, feeds=None, step=None):
    """The values of all variables after steps of an optimizer."""
    train = optimizer.minimize(loss, step)
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for _ in range(steps):
            session.run(train, feeds)
        return {v.op.name: shown(session.run(v)) for v in tf.global_variables()}


OPTIONS = {
    "mean": ({}, 1 - 5.5 / 8),
    "sum": ({"op": hvd.Sum}, 1 - 11 / 8),
    "predivided": ({"gradient_predivide_factor": 4.0}, 1 - 5.5 / 8),
    "short": ({"compression": hvd.Compression.fp16}, 1 - 5.5 / 8),
    "groups": ({"num_groups": 2, "groups": 1}, 1 - 5.5 / 8),
    "passes": ({"backward_passes_per_step": 1, "average_aggregated_gradients": True}, 1 - 5.5 / 8),
}


@pytest.mark.parametrize("case", OPTIONS)
def test_options_of_optimizers(first, case):
    options, wanted = OPTIONS[case]
    v = tf.get_variable("v", initializer=1.0)
    unused = tf.get_variable("unused", initializer=1.0)
    sgd = tf.train.GradientDescentOptimizer(0.125)
    optimizer = hvd.DistributedOptimizer(sgd, **options)
    assert optimizer.get_name() == "DistributedGradientDescentOptimizer"
    pairs = optimizer.compute_gradients(v * 1.0)
    assert pairs[1] == (None, unused) and pairs[0][1] is v
    found = trained(optimizer, v * 1.0)
    assert found["v"] == pytest.approx(wanted) and found["unused"] == 1.0
    scope = "DistributedGradientDescentOptimizer_Allreduce/"
    assert pairs[0][0].op.name.startswith(scope)
    assert {entry[2][0][0] for entry in first.seen} == {"float16" if case == "short" else "float32"}
    if case == "predivided":  # a quarter is sent
        sent = [op for op in tf.get_default_graph().get_operations() if "GroupedAll" in op.type]
        assert run(sent[0].inputs[0]) == 0.25


def test_names_devices_and_rows_of_optimizers(first):
    table = tf.get_variable("table", initializer=[[1.0], [1.0], [1.0]])
    loss = tf.reduce_sum(tf.gather(table, [0, 2, 0]))
    sgd = tf.train.GradientDescentOptimizer(1.0, name="inner")
    made = hvd.DistributedOptimizer(sgd, "mine", True, "/cpu:0", "/cpu:1")
    ((grad, _),) = made.compute_gradients(loss)
    assert made.get_name() == "mine" and made._use_locking and isinstance(grad, tf.IndexedSlices)
    assert grad.values.device == "/device:CPU:1" and grad.values.op.name.startswith("mine_Allr")
    dense = hvd.DistributedOptimizer(sgd, "dense", device_dense="/cpu:0", sparse_as_dense=True)
    ((grad, _),) = dense.compute_gradients(loss)
    assert isinstance(grad, tf.Tensor) and grad.device == "/device:CPU:0"
    assert shown(run(grad)) == [[11.0], [0.0], [5.5]]
    momentum = hvd.DistributedOptimizer(tf.train.MomentumOptimizer(0.5, 0.5), "m")
    assert momentum.apply_gradients([(grad, table)], name="named").name == "named"
    assert momentum.get_slot(table, "momentum").name == "table/Momentum:0"
    assert [v.op.name for v in momentum.variables()] == ["table/Momentum"]
    assert momentum.get_slot_names() == ["momentum"] and momentum.get_slot(table, "x") is None
    step = tf.train.get_or_create_global_step()
    assert trained(made, loss * 0.0, 2, step=step)["global_step"] == 2


@pytest.mark.parametrize("averages, wanted", [(False, -21.0), (True, -10.0)])
def test_passes_of_optimizers(beside, averages, wanted):
    """Two gradients of 1 and 3 are added up, 4; with those of the other rank 44, the mean is 22, of two passes 11."""
    v, given = tf.get_variable("v", initializer=1.0), tf.placeholder(tf.float32, [])
    optimizer = hvd.DistributedOptimizer(
        tf.train.GradientDescentOptimizer(1.0),
        backward_passes_per_step=2,
        average_aggregated_gradients=averages,
    )
    train = optimizer.minimize(v * given)
    locals_ = [v.op.name for v in tf.local_variables()]
    scope = f"aggregation_variables_{beside.rank}/"
    assert locals_ == [scope + "aggregation_counter", scope + "0"]
    assert not optimizer.variables() and tf.trainable_variables() == [v]
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for number, value in ((1.0, 1.0), (3.0, wanted), (1.0, wanted)):
            session.run(train, {given: number})
            assert session.run(v) == value
        assert shown(session.run(tf.local_variables())) == [3, 1.0]
    assert [entry[0] for entry in beside.seen] == ["sum"]
    twice = hvd.DistributedOptimizer(
        tf.train.GradientDescentOptimizer(1.0), backward_passes_per_step=3, sparse_as_dense=True
    )
    with tf.Graph().as_default():
        rows = tf.get_variable("rows", [2, 1])
        ((grad, _),) = twice.compute_gradients(tf.reduce_sum(tf.gather(rows, [0])), [rows])
        assert isinstance(grad, tf.Tensor)


@pytest.mark.parametrize("passes, wanted", [(1, [-99.0, -199.0]), (2, [0.0, -199.0])])
def test_steps_combined_by_adasum(first, passes, wanted):
    """Each step of -1 counts a hundredfold; in a pass that is not the last it is the rank's own."""
    v = tf.get_variable("v", initializer=1.0)
    sgd = tf.train.GradientDescentOptimizer(1.0)
    optimizer = hvd.DistributedOptimizer(
        sgd, "own", op=hvd.Adasum, backward_passes_per_step=passes, device_dense="/cpu:1"
    )
    train = optimizer.minimize(v * 1.0, name="train")
    assert train.name.endswith("/train") and optimizer.get_slot_names() == ["delta_start"]
    assert optimizer.get_slot(v, "delta_start").op.name == "v/own"
    assert [v.op.name for v in optimizer.variables()] == ["v/own"]
    found = []
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        session.run(tf.global_variables_initializer())
        for _ in wanted:
            session.run(train)
            found.append(float(session.run(v)))
    assert found == wanted
    assert [entry[::2] for entry in first.seen] == [("adasum", "float32")] * (3 - passes)


def test_steps_sent_as_short_floats(first):
    v, unused = tf.get_variable("v", initializer=1.0), tf.get_variable("unused", initializer=1.0)
    sgd = tf.train.GradientDescentOptimizer(1.0)
    short = hvd.DistributedOptimizer(sgd, op=hvd.Adasum, compression=hvd.Compression.fp16)
    assert short.get_name() == "DistributedDeltaGradientDescentOptimizer"
    assert short.compute_gradients(v * 1.0)[1] == (None, unused)
    step = tf.train.get_or_create_global_step()
    found = trained(short, v * 1.0, step=step)
    assert (found["v"], found["unused"]) == (-99.0, 1.0)
    assert [entry[2] for entry in first.seen] == ["float16"]


def test_options_of_tapes(first):
    x = tf.get_variable("x", initializer=[[1.0], [2.0]], use_resource=True)
    y = tf.get_variable("y", initializer=1.0, use_resource=True)
    unused = tf.get_variable("unused", initializer=1.0, use_resource=True)

    def gradients(**options):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(x, [1])) * y
        made = hvd.DistributedGradientTape(tape, **options)
        return made.gradient(loss, [x, (y, unused)])

    rows, (mean, nothing) = gradients(device_sparse="/cpu:1", device_dense="/cpu:2")
    assert nothing is None and rows.values.device == "/device:CPU:1"
    assert mean.device == "/device:CPU:2" and mean.op.name.startswith("DistributedGradientTape_All")
    dense, (total, _) = gradients(
        op=hvd.Sum, sparse_as_dense=True, compression=hvd.Compression.fp16, num_groups=1, groups=2
    )
    assert shown(run([dense, total])) == [[[0.0], [11.0]], 22.0]
    assert first.seen[-1][2] == [("float16", 3)]
    _, (divided, _) = gradients(gradient_predivide_factor=2.0)
    assert run(divided) == 11.0
    with pytest.raises(ValueError, match="gradient_predivide_factor not supported"):
        gradients(op=hvd.Sum, gradient_predivide_factor=2.0)


def test_normalization_by_both_batches(first):
    """The other has ten times the mean, and ten times the mean of squares."""
    layer = hvd.SyncBatchNormalization(epsilon=0.0, name="own", momentum=0.5)
    x = tf.constant([[1.0], [3.0]])
    found = layer(x, training=True)
    mean, square = 2 * 5.5, 5 * 5.5
    variance = square - mean**2
    assert (
        layer.name == "own" and variance < 0
    )  # no batches have these: only the sums are looked at
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(tf.get_collection("update_ops"))
        moving = session.run([layer.moving_mean, layer.moving_variance])
        session.run(found)
    np.testing.assert_allclose(moving, [[mean / 2], [(1 + variance) / 2]], rtol=1e-6)


def test_it_is_closed_once(beside):
    assert hvd.is_initialized() and hvd.gloo_enabled() and not hvd.mpi_threads_supported()
    assert (hvd.rank(), hvd.size(), hvd.local_rank(), hvd.local_size()) == (beside.rank, 2, 0, 1)
    hvd.init()
    assert running == [beside]
    hvd.shutdown()
    hvd.shutdown()
    assert beside.seen == [("close",)] and not hvd.is_initialized()


def test_keras_optimizers(first):
    keras, SGD = tf.keras, tf.keras.optimizers.SGD
    v = keras.backend.variable([1.0, 2.0])
    plain = SGD(0.25, momentum=0.5, nesterov=True, name="own")
    made = hvd.DistributedOptimizer(plain, op=hvd.Sum, compression=hvd.Compression.fp16)
    assert type(made).__name__ == "SGD" and isinstance(made, SGD) and made is not plain
    assert made.get_config() == plain.get_config() and type(made).__module__ == SGD.__module__
    (grad,) = made.get_gradients(keras.backend.sum(v * 2.0), [v])
    assert grad.dtype == tf.float32 and shown(run(grad)) == [22.0, 22.0]
    assert first.seen[-1][2] == [("float16", 2)]
    twice = hvd.DistributedOptimizer(SGD(1.0), backward_passes_per_step=2)
    update = twice.get_updates(keras.backend.sum(v), [v])
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for number, wanted in ((1, [1.0, 2.0]), (2, [-10.0, -9.0]), (3, [-10.0, -9.0])):
            session.run(update)
            assert shown(session.run([twice.iterations, v])) == [number, wanted]


def test_states_are_those_of_the_first_rank(beside):
    elastic, sent = hvd.elastic, []

    def gather(name, value):
        sent.append((name, len(value) > 0))
        return value if len(value) else np.frombuffer(pickle.dumps(told.pop(0)), np.uint8)

    beside.gather = gather
    v = tf.get_variable("v", initializer=[1.0])
    told = [[np.float32([5.0])], {"batch": 7}]
    with tf.Session() as session:
        session.run(v.initializer)
        state = elastic.TensorFlowState([v], session, batch=3)
        state.sync()
        mine = ([1.0], 3) if beside.rank == 0 else ([5.0], 7)
        assert (session.run(v).tolist(), state.batch) == mine
        session.run(v.assign([9.0]))
        state.batch = 11
        state.restore()
        assert (session.run(v).tolist(), state.batch) == mine
    is_first = beside.rank == 0
    assert sent == [
        ("broadcast_object elastic variables", is_first),
        ("broadcast_object elastic state", is_first),
    ]
