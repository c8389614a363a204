"""resources: variable cells under many threads, leases, containers, failures without side effects."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tests.support.held_locks import waits_for
from tfmini._src.executor.state.resources import Resources, VariableCell


def cell(value):
    variable = VariableCell("v", tf.float32, None)
    variable.assign(np.asarray(value, "f"))
    return variable


def in_threads(count, work):
    failures = []

    def quiet(index):
        try:
            work(index)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=quiet, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]


@pytest.mark.parametrize(
    "call",
    [
        lambda v: v.assign(np.zeros(2, "f")),
        lambda v: v.assign(np.zeros(2, "f"), is_owned=True),
        lambda v: v.update(_add),
    ],
)
def test_variable_is_modified_under_its_lock(call):
    v = cell([1.0, 2.0])
    assert waits_for(v.lock, lambda: call(v))


@pytest.mark.parametrize(
    "call",
    [
        lambda resources: resources.named(("queue", "", "q"), object),
        lambda resources: resources.remove(("queue", "", "q")),
        lambda resources: resources.node_state(tf.no_op(), object),
        lambda resources: resources.reset(),
    ],
)
def test_resources_are_registered_under_lock(call):
    resources = Resources()
    assert waits_for(resources._lock, lambda: call(resources))


def test_update_is_in_place_without_readers():
    v = cell([1.0, 2.0])
    address = v.array.ctypes.data
    v.update(_add)
    assert v.array.ctypes.data == address and v.array.tolist() == [2.0, 3.0]
    lease = v.read()
    v.update(_add)
    assert v.array.ctypes.data != address
    assert lease.tolist() == [2.0, 3.0] and v.array.tolist() == [3.0, 4.0]


def _add(array):
    array += 1


def test_failed_update_changes_nothing():
    v = cell([1.0, 2.0])

    def fail(array):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        v.update(fail)
    assert v.read().tolist() == [1.0, 2.0]
    assert v.lock.acquire(blocking=False)
    v.lock.release()


def test_update_may_replace_array():
    v = cell([1.0])
    v.update(lambda array: np.zeros(3, "f"))
    assert v.read().shape == (3,)


def test_uninitialized_variable_raises():
    v = VariableCell("v", tf.float32, None)
    with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value v"):
        v.read()
    with pytest.raises(
        tf.errors.FailedPreconditionError, match="^Attempting to use uninitialized value v$"
    ):
        v.take()
    assert v.lock.acquire(blocking=False)
    v.lock.release()
    v.assign(np.ones(2, "f"))
    v.clear()
    assert not v.initialized
    with pytest.raises(
        tf.errors.FailedPreconditionError, match="^Attempting to use uninitialized value v$"
    ):
        v.read()


def test_assign_copies_borrowed_arrays():
    v, borrowed = cell([0.0, 0.0]), np.ones(2, "f")
    v.assign(borrowed)
    borrowed[:] = 5
    assert v.read().tolist() == [1.0, 1.0]
    v.assign(borrowed, is_owned=True)
    assert v.read() is borrowed
    for owned in (False, True):  # rows are contiguous, which kernels read fastest
        v.assign(np.zeros((3, 2), "f").T, owned)
        v.assign(np.asfortranarray(np.zeros((4, 2), "f")), owned)
        assert v.read().flags.c_contiguous


def test_reader_waits_for_writer():
    v, started, go = cell([1.0]), threading.Event(), threading.Event()

    def slow(array):
        started.set()
        go.wait(60)
        array += 1

    writer = threading.Thread(target=v.update, args=(slow,))
    writer.start()
    started.wait(60)
    assert v.array is None
    threading.Timer(0.02, go.set).start()
    assert v.read().tolist() == [2.0]
    writer.join()


@pytest.mark.parametrize("resource", [False, True])
def test_updates_and_reads_are_atomic(resource):
    v = tf.Variable(tf.zeros([3000]), use_resource=resource)
    add = v.assign_add(tf.ones([3000]), use_locking=True)
    step = add.op
    read = v.read_value()
    stop = threading.Event()
    with tf.Session() as session:
        session.run(v.initializer)
        session.run([step, read])
        session.run(v.initializer)
        seen = []

        def work(index):
            if index == 16:
                while not stop.is_set():
                    value = session.run(read)
                    assert (value == value[0]).all()
                    seen.append(value[0])
                return
            for _ in range(250):
                session.run(step)
            if session.run(v)[0] == 16 * 250:
                stop.set()

        in_threads(17, work)
        assert (session.run(v) == 16 * 250).all()
    assert seen == sorted(seen)


def test_optimizer_updates_are_atomic():
    v = tf.Variable(tf.zeros([200]), use_resource=True)
    train = tf.train.MomentumOptimizer(1.0, 0.0, use_locking=True).minimize(
        -tf.reduce_sum(v), var_list=[v]
    )
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        in_threads(8, lambda index: [session.run(train) for _ in range(100)])
        assert (session.run(v) == 800).all()


def test_failed_op_changes_nothing():
    v = tf.Variable([1.0, 2.0, 3.0])
    r = tf.Variable([1.0, 2.0, 3.0], use_resource=True)
    shape = tf.placeholder(tf.float32, None)
    index = tf.placeholder(tf.int32, [None])
    outside = r"indices\[1\] = {} is not in \[0, 3\)"
    of_shapes = r"variable with shape \[3\] using a Tensor with shape \[5\], shapes must be equal."
    wrong = [
        (v.assign_add(shape), {shape: np.ones(5)}, "Parameters and update must be the same size"),
        (r.assign_add(shape).op, {shape: np.ones(5)}, f"Cannot update {of_shapes}"),
        (tf.scatter_add(v, index, tf.ones([2])), {index: [0, 7]}, outside.format(7)),
        (tf.scatter_add(r, index, tf.ones([2])).op, {index: [0, 7]}, outside.format(7)),
        (tf.scatter_update(v, index, [9.0, 9, 9]), {index: [0, -1, 1]}, outside.format(-1)),
        (tf.assign(v, shape), {shape: np.ones([2, 2])}, r"lhs shape= \[3\] rhs shape= \[2,2\]"),
    ]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for fetch, feed, text in wrong:
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                session.run(fetch, feed)
            assert session.run(v).tolist() == session.run(r).tolist() == [1.0, 2.0, 3.0]


def test_effects_before_failure_persist():
    v = tf.Variable(1.0)
    x = tf.placeholder(tf.float32, [])
    with tf.control_dependencies([v.assign_add(1.0)]):
        bad = tf.check_numerics(x, "bad")
    with tf.Session() as session:
        session.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match="bad : Tensor had NaN values"):
            session.run(bad, {x: np.nan})
        assert session.run(v) == 2.0


def test_names_and_containers_separate_resources(graph):
    resources = Resources()
    with graph.container("box"):
        boxed = tf.raw_ops.VarHandleOp(shape=[], dtype=tf.float32, shared_name="v").op
    same, other = (
        tf.raw_ops.VarHandleOp(shape=[], dtype=tf.float32, shared_name="v").op for _ in range(2)
    )
    assert resources.variable(same) is resources.variable(other)
    assert resources.variable(same) is not resources.variable(boxed)
    resources.variable(boxed).assign(np.float32(1))
    resources.variable(same).assign(np.float32(2))
    resources.reset(["box"])
    assert not resources.variable(boxed).initialized and resources.variable(same).initialized
    resources.reset()
    assert not resources.variable(same).initialized


def test_messages_name_container(graph):
    with graph.container("box"):
        v = tf.get_variable("v", [], use_resource=True)
        w = tf.get_variable("w", [], use_resource=True)
    with tf.Session() as session:
        for missing in (
            "Container box does not exist. (Could not find resource: box/v)",
            "Resource box/v/N10tensorflow3VarE does not exist.",
        ):
            with pytest.raises(tf.errors.FailedPreconditionError) as caught:
                session.run(v)
            assert caught.value.message.split("\n")[0] == (
                "Error while reading resource variable v from Container: box. This could mean that "
                f"the variable was uninitialized. Not found: {missing}"
            )
            session.run(w.initializer)


def test_failed_assignment_preserves_value():
    class InvalidSizeError:
        shape, dtype = (1 << 40,), np.dtype(np.float32)

        def __array__(self, *args, **kwargs):
            raise MemoryError("four terabytes")

    held = VariableCell("v", tf.float32, None)
    held.assign(np.ones(3, np.float32))
    with pytest.raises(MemoryError, match="^four terabytes$"):
        held.assign(InvalidSizeError())
    assert list(held.read()) == [1, 1, 1]


def test_interrupt_preserves_value(monkeypatch):
    def interrupted(array):
        raise KeyboardInterrupt

    held = VariableCell("v", tf.float32, None)
    held.assign(np.ones(3, np.float32))
    with monkeypatch.context() as patch:
        patch.setattr("sys.getrefcount", interrupted)
        with pytest.raises(KeyboardInterrupt):
            held.update(lambda array: None)
    assert list(held.read()) == [1, 1, 1]
    free = []
    other = threading.Thread(target=lambda: free.append(held.lock.acquire(blocking=False)))
    other.start()
    other.join()
    assert free == [True]


def test_reset_container_no_longer_exists(graph):
    resources = Resources()
    with graph.container("box"):
        v = tf.get_variable("v", [], use_resource=True).handle.op
    other = tf.get_variable("w", [], use_resource=True).handle.op
    for op in (v, other):
        resources.variable(op).assign(np.float32(1))
    resources.reset(["box"])
    missing = "Container box does not exist. (Could not find resource: box/v)"
    assert resources.variable(v).missing() == missing
    assert resources.names_in("") == {"w"}
    resources.reset()
    assert not resources.names_in("")


def test_reset_ends_resources():
    class Ending:
        ended = 0

        def end(self):
            self.ended += 1

    resources = Resources()
    one, other = Ending(), Ending()
    resources.named(("thing", "", "one"), lambda: one)
    resources.named(("thing", "", "other"), lambda: other)
    resources.named(("number", "box", "x"), lambda: 3)
    resources.forget([one, Ending(), 3])
    assert (one.ended, other.ended) == (1, 0)
    assert resources.lookup(("thing", "", "one")) is None
    assert resources.lookup(("thing", "", "other")) is other
    assert resources.lookup(("number", "box", "x")) is None


def test_ending_resource_may_remove_another():
    """As when a table's destructor destroys its captured resources: they end only once."""

    class Ending:
        def __init__(self, other=None):
            self.other = other
            self.ended = 0

        def end(self):
            self.ended += 1
            if self.other:
                assert resources.remove(("thing", "", "other")) is self.other

    resources = Resources()
    other = Ending()
    one = Ending(other)
    resources.named(("thing", "", "one"), lambda: one)
    resources.named(("thing", "", "other"), lambda: other)
    resources.forget([one, other])
    assert (one.ended, other.ended) == (1, 0)
    assert resources.lookup(("thing", "", "other")) is None
