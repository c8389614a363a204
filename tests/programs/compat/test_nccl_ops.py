"""Reductions over two and three emulated GPUs: by NCCL, by copies, over virtual GPUs; and without a GPU.

The expected sums are numpy's. Messages without a GPU are those of TensorFlow 1.15.5's CPU build.
"""

import numpy as np
import pytest

import tfmini as tf
from tests.support.fake_cupy.nccl import NCCL
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.compiler.passes import collectives
from tfmini.compat.python.ops import nccl_ops

RANDOM = np.random.RandomState(3)
REDUCTIONS = {
    "all_sum": np.sum,
    "all_prod": np.prod,
    "all_min": np.min,
    "all_max": np.max,
}


@pytest.fixture(autouse=True)
def fresh_graph(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    with tf.Graph().as_default():
        yield


@pytest.fixture(params=["nccl", "copies", "virtual"])
def machine(request, monkeypatch):
    """Three GPUs: with NCCL, without it, and virtual GPUs of one GPU, which NCCL rejects."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    if request.param == "copies":
        monkeypatch.setitem(NCCL, "available", False)
    with fake_gpus(devices=1 if request.param == "virtual" else 3) as machine:
        if request.param == "copies":
            monkeypatch.setattr("cupy.cuda.nccl.available", False)
        machine.by = request.param
        yield machine


def config(machine=None):
    options = tf.ConfigProto()
    if machine is not None and machine.by == "virtual":
        split = options.gpu_options.experimental.virtual_devices.add()
        split.memory_limit_mb.extend([64] * 3)
    return options


def on_gpus(values):
    """For each value a tensor on a separate GPU, and the feeds for these tensors."""
    created = []
    for index, value in enumerate(values):
        with tf.device(f"/gpu:{index}"):
            created.append(tf.placeholder(value.dtype, value.shape) * 1)
    return created, {t.op.inputs[0]: v for t, v in zip(created, values)}


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("dtype", ["e", "f", "d", "i", "l"])
def test_all_gpus_receive_the_reduction(name, dtype, count, machine):
    values = [RANDOM.randint(1, 9, (4, 5)).astype(dtype) for _ in range(count)]
    tensors, feeds = on_gpus(values)
    results = getattr(nccl_ops, name)(tensors)
    assert [r.device for r in results] == [t.device for t in tensors]
    doubled = []
    for index, result in enumerate(results):
        with tf.device(f"/gpu:{index}"):
            doubled.append(result + result)
    with tf.Session(config=config(machine)) as session:
        actual = session.run([results, doubled], feeds)
    expected = REDUCTIONS[name](values, axis=0).astype(dtype)
    for first, second in zip(*actual):
        assert first.dtype == expected.dtype
        np.testing.assert_array_equal(first, expected)
        np.testing.assert_array_equal(second, expected + expected)
    called = machine.counters.launch_names["allReduce"]
    assert called == (count if machine.by == "nccl" and count > 1 else 0)


def test_towers_train_as_one_model(machine):
    """The sum of the towers' gradients updates each GPU's copy of the weights; later steps are replayed."""
    pixels = RANDOM.rand(3, 6, 4).astype("f")
    weights, gradients = [], []
    for index in range(3):
        with tf.device(f"/gpu:{index}"):
            w = tf.get_variable(f"w{index}", [4, 2], initializer=tf.ones_initializer())
            loss = tf.reduce_mean(tf.square(tf.matmul(pixels[index], w)))
            weights.append(w)
            gradients.append(tf.gradients(loss, w)[0])
    sums = nccl_ops.all_sum(gradients)
    steps = []
    for index, (w, total) in enumerate(zip(weights, sums)):
        with tf.device(f"/gpu:{index}"):
            steps.append(tf.assign_sub(w, total / 30.0))
    with tf.Session(config=config(machine)) as session:
        session.run(tf.global_variables_initializer())
        for _ in range(12):
            session.run([s.op for s in steps])
        actual = session.run(weights)
    expected = np.ones((4, 2), "f")
    for _ in range(12):
        expected = expected - sum(2 * x.T @ (x @ expected) / 12 for x in pixels) / 30
    for value in actual:
        np.testing.assert_allclose(value, expected, rtol=1e-5)


def test_gradient_of_all_sum_is_all_sum(machine):
    tensors, feeds = on_gpus([np.full((2,), n, "f") for n in (1, 2, 3)])
    sums = nccl_ops.all_sum(tensors)
    backwards = []
    for index in range(3):
        with tf.device(f"/gpu:{index}"):
            backwards.append(tf.constant([index + 1.0, 10.0]))
    gradients = tf.gradients(sums, tensors, backwards, colocate_gradients_with_ops=True)
    assert [g.op.type for g in gradients] == ["NcclAllReduce"] * 3
    with tf.Session(config=config(machine)) as session:
        for value in session.run(gradients, feeds):
            np.testing.assert_array_equal(value, [6.0, 30.0])


def test_reduce_and_broadcast(machine):
    values = [RANDOM.rand(3).astype("f") for _ in range(3)]
    tensors, feeds = on_gpus(values)
    with tf.device("/gpu:1"):
        total = nccl_ops.reduce_sum(tensors)
        (sent,) = {g.name: g for g in tf.gradients(total, tensors, tf.identity(total))}.values()
    assert sent.op.type == "NcclBroadcast"
    everywhere = []
    for index in range(3):
        with tf.device(f"/gpu:{index}"):
            everywhere.append(sent + float(index))
    with tf.Session(config=config(machine)) as session:
        actual = session.run([total, *everywhere], feeds)
    expected = sum(values)
    for value, more in zip(actual, [0, 0, 1, 2]):
        np.testing.assert_allclose(value, expected + more, rtol=1e-6)


def test_gradient_of_broadcast_is_reduction(machine):
    (x,), feeds = on_gpus([np.ones(2, "f")])
    sent = nccl_ops.broadcast(x)
    read = []
    for index in range(2):
        with tf.device(f"/gpu:{index}"):
            read.append(tf.square(sent) * (index + 1.0))
    backwards = []
    for y in read:
        with tf.device(y.device):
            backwards.append(tf.identity(y))
    (gradient,) = tf.gradients(read, x, backwards, colocate_gradients_with_ops=True)
    assert gradient.op.type == "NcclReduce"
    with tf.Session(config=config(machine)) as session:
        np.testing.assert_array_equal(session.run(gradient, feeds), [10.0, 10.0])


def test_constants_and_feeds_are_copied_to_reduction_device(machine):
    tensors = []
    for index in range(2):
        with tf.device(f"/gpu:{index}"):
            tensors.append(tf.placeholder_with_default([1.0, float(index)], [2]))
    fed = nccl_ops.all_sum(tensors)
    constants = []
    for index in range(2):
        with tf.device(f"/gpu:{index}"):
            constants.append(tf.constant(float(index + 4)))
    known = nccl_ops.all_max(constants)
    with tf.Session(config=config(machine)) as session:
        for step in range(3):
            actual = session.run([fed, known], {tensors[1]: [float(step), 7.0]})
            np.testing.assert_array_equal(actual[0], [[1.0 + step, 7.0]] * 2)
            assert actual[1] == [5.0, 5.0]


def test_consumers_wait_for_all_members(machine):
    """A consumer created before the second member; a second all-reduce consumes its output."""
    a = tf.placeholder(tf.float32, [2])
    members = {"reduction": "sum", "num_devices": 2, "shared_name": "early"}
    with tf.device("/gpu:0"):
        first = tf.raw_ops.NcclAllReduce(input=a, **members)
        doubled = first * 2.0
    with tf.device("/gpu:1"):
        squared = tf.square(a)
        second = tf.raw_ops.NcclAllReduce(input=squared, **members)
    results = [first, second, *nccl_ops.all_sum([doubled, squared])]
    with tf.Session(config=config(machine)) as session:
        actual = session.run(results, {a: [1.0, 2.0]})
    for value, expected in zip(actual, [[2, 6], [2, 6], [5, 16], [5, 16]]):
        np.testing.assert_array_equal(value, expected)


def test_empty_reduction(machine):
    tensors, feeds = on_gpus([np.zeros((0, 3), "f")] * 2)
    results = nccl_ops.all_sum(tensors)
    with tf.Session(config=config(machine)) as session:
        assert [v.shape for v in session.run(results, feeds)] == [(0, 3), (0, 3)]


def test_fetching_some_members_is_an_error(machine):
    tensors, feeds = on_gpus([np.ones(2, "f")] * 3)
    results = nccl_ops.all_sum(tensors)
    with tf.Session(config=config(machine)) as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(results[:2], feeds)
        np.testing.assert_array_equal(session.run(results, feeds)[2], [3.0, 3.0])
    message = str(raised.value)
    assert "has 3 members, but this step runs 2 of them: NcclAllReduce, NcclAllReduce_1." in message
    assert "[[node NcclAllReduce (defined at " in message
    assert raised.value.op is results[0].op


@pytest.mark.parametrize("attr, other", [("reduction", "max"), ("T", tf.float64)])
def test_mismatched_attrs_are_an_error(machine, attr, other):
    tensors = []
    for index in range(2):
        with tf.device(f"/gpu:{index}"):
            dtype = other if attr == "T" and index else tf.float32
            reduction = other if attr == "reduction" and index else "sum"
            tensors.append(
                tf.raw_ops.NcclAllReduce(
                    input=tf.placeholder(dtype, [2]) * 1,
                    reduction=reduction,
                    num_devices=2,
                    shared_name="both",
                )
            )
    feeds = {tensor.op.inputs[0].op.inputs[0]: [1.0, 2.0] for tensor in tensors}
    text = f"members of the all-reduce 'both' differ in '{attr}'"
    with tf.Session(config=config(machine)) as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(tensors, feeds)


def test_mismatched_shapes_are_an_error(machine):
    tensors = []
    for index in range(2):
        with tf.device(f"/gpu:{index}"):
            tensors.append(tf.placeholder(tf.float32, [None]) * 1)
    results = nccl_ops.all_sum(tensors)
    feeds = {t.op.inputs[0]: np.ones(n + 1) for n, t in enumerate(tensors)}
    with tf.Session(config=config(machine)) as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"differ: \[1\] and \[2\]"):
            session.run(results, feeds)
        feeds = dict.fromkeys(feeds, np.ones(2))
        np.testing.assert_array_equal(session.run(results, feeds)[1], [2.0, 2.0])


def test_circular_reductions_are_an_error(machine):
    (x, y), feeds = on_gpus([np.ones(2, "f")] * 2)
    first, _ = nccl_ops.all_sum([x, y])
    with tf.device("/gpu:1"):
        second = tf.raw_ops.NcclAllReduce(
            input=first + y,
            reduction="sum",
            num_devices=2,
            shared_name=first.op.get_attr("shared_name").decode(),
        )
    with tf.Session(config=config(machine)) as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="depend on each other"):
            session.run([first, second], feeds)


def test_reduction_under_condition(machine):
    tensors, feeds = on_gpus([np.ones(2, "f"), np.full(2, 3, "f")])
    chosen = tf.placeholder(tf.bool, [])
    switched = []
    for tensor in tensors:
        with tf.device(tensor.device):
            switched.append(tf.raw_ops.Switch(data=tensor, pred=chosen).output_true)
    inside = nccl_ops.all_sum(switched)
    mixed = nccl_ops.all_sum([tensors[0], switched[1]])
    with tf.Session(config=config(machine)) as session:
        for value in session.run(inside, {**feeds, chosen: True}):
            np.testing.assert_array_equal(value, [4.0, 4.0])
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not have value"):
            session.run(inside, {**feeds, chosen: False})
        with pytest.raises(tf.errors.InvalidArgumentError, match="not run under the same cond"):
            session.run(mixed, {**feeds, chosen: True})


def no_kernel(name, attrs):
    return (
        rf"^No OpKernel was registered to support Op '{name}' used by node {name} \(defined at .*\) with these attrs: "
        rf"\[{attrs}\]\nRegistered devices: \[CPU\]\nRegistered kernels:\n  <no registered kernels>\n\n"
        rf"\t \[\[{name}\]\]\n\n"
    )


@pytest.mark.parametrize("soft", [False, True])
def test_cpu_has_no_kernel(soft):
    with tf.device("/gpu:0" if soft else "/cpu:0"):
        x = tf.constant([1.0, 2.0])
        total = nccl_ops.reduce_sum([x, x])
    sums, sent = nccl_ops.all_sum([x, x]), nccl_ops.broadcast(x)
    name = sums[0].op.get_attr("shared_name").decode()
    attrs = f'T=DT_FLOAT, num_devices=2, reduction="sum", shared_name="{name}"'
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=soft)) as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match=no_kernel("NcclAllReduce", attrs)):
            session.run(sums)
        attrs = 'T=DT_FLOAT, num_devices=2, reduction="sum"'
        with pytest.raises(tf.errors.InvalidArgumentError, match=no_kernel("NcclReduce", attrs)):
            session.run(total)
        attrs = r"T=DT_FLOAT, shape=\[2\]"
        with pytest.raises(tf.errors.InvalidArgumentError, match=no_kernel("NcclBroadcast", attrs)):
            session.run(sent)


def test_cpu_member_among_gpus_is_an_error(machine):
    with tf.device("/cpu:0"):
        x = tf.constant([1.0, 2.0])
    (total,) = nccl_ops.all_sum([x])
    with tf.Session(config=config(machine)) as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            session.run(total)
    message = str(raised.value)
    assert "because no supported kernel for CPU devices is available." in message
    assert message.split("Registered kernels:\n")[1].startswith("  device='GPU'\n\n")
    soft = config(machine)
    soft.allow_soft_placement = True
    with tf.Session(config=soft) as session:
        np.testing.assert_array_equal(session.run(total), [1.0, 2.0])


def test_reduction_waits_for_inputs_of_all_members(machine, monkeypatch):
    joined, created = collectives._join_members, []

    def record(members):
        created.append(joined(members))
        return created[-1]

    monkeypatch.setattr(collectives, "_join_members", record)
    tensors, feeds = on_gpus([np.ones(2, "f")] * 2)
    with tf.device("/cpu:0"):
        waited = [tf.Variable(0.0).assign(1.0).op for _ in tensors]
    results = nccl_ops.all_sum(tensors)
    for result, op in zip(results, waited):
        result.op._add_control_input(op)
    with tf.Session(config=config(machine)) as session:
        session.run(results, feeds)
    assert [node.origin for node in created[0].controls] == waited


@pytest.mark.parametrize("is_after", [False, True])
def test_members_may_depend_on_separate_queues(machine, is_after):
    """As in towers that each dequeue a batch; the third batch is enqueued by the consumer of the first two sums."""
    queues = [tf.FIFOQueue(3, [tf.float32], shapes=[[2]]) for _ in range(3)]
    tensors = []
    for index, queue in enumerate(queues):
        batch = queue.dequeue()
        with tf.device(f"/gpu:{index}"):
            tensors.append(batch * 2)
    first = nccl_ops.all_sum(tensors[:2])
    with tf.control_dependencies([first[0].op] if is_after else []):
        repeated = queues[2].enqueue([[1.0, 1.0]])
    with tf.control_dependencies([repeated]), tf.device("/gpu:1"):
        last = nccl_ops.all_sum([tf.identity(first[0]), tensors[2]])
    with tf.Session(config=config(machine)) as session:
        session.run([queues[0].enqueue([[1.0, 2.0]]), queues[1].enqueue([[3.0, 4.0]])])
        result = session.run([first, last])
    np.testing.assert_array_equal(result[0], [[8, 12]] * 2)
    np.testing.assert_array_equal(result[1], [[10, 14]] * 2)
