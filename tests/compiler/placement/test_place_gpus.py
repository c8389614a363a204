"""place with GPUs: manual results, and tensorflow-gpu's placements (tests/conformance/placements/gpus.py).

What is expected follows from TensorFlow 1.15.5's documentation of placement (GPUs before CPUs, an op
without a GPU kernel on the CPU) and from the kernels that tensorflow-gpu 1.15.5 registers.
"""

import itertools
import sys

import pytest

import tfmini as tf
from tests.compiler.placement.machines import machine, placed
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.devices.attributes import TASK


def test_first_gpu_is_default(graph):
    x = tf.placeholder(tf.float32, [2, 2], name="x")
    tf.matmul(x, tf.Variable(tf.ones([2, 2]), name="w"), name="y")
    assert set(placed(graph).values()) == {"GPU:0"}


def test_ops_without_gpu_kernel_run_on_cpu(graph):
    names = tf.constant(["a", "b"], name="names")
    tf.strings.join([names, "c"], name="joined")
    tf.setdiff1d([1.0, 2.0], [1.0])
    where = placed(graph)
    assert where["names"] == where["joined"] == where["joined/inputs_1"] == "CPU:0"
    assert where["ListDiff"] == "CPU:0"
    assert where["ListDiff/x"] == "CPU:0"  # placed where it is read


def test_integers_are_on_gpu_in_host_memory(graph):
    x = tf.placeholder(tf.int32, [3], name="x")
    tf.add(x, 1, name="y")
    tf.matmul([[1]], [[2]], name="no_kernel")
    v = tf.Variable(1, name="v")
    tf.assign_add(v, 1, name="u")
    where = placed(graph)
    assert (where["x"], where["y"], where["no_kernel"]) == ("GPU:0", "GPU:0", "CPU:0")
    assert where["v"] == where["u"] == where["v/read"] == where["v/Assign"] == "CPU:0"


def test_shape_ops_follow_their_input(graph):
    with tf.device("/gpu:1"):
        x = tf.square(tf.placeholder(tf.float32))
    with tf.device("/cpu:0"):
        y = tf.square(tf.placeholder(tf.float32))
    s = tf.strings.join([tf.placeholder(tf.string), "a"])
    tf.shape(x, name="sx"), tf.size(y, name="sy"), tf.rank(s, name="ss")
    where = placed(graph)
    assert (where["sx"], where["sy"], where["ss"]) == ("GPU:1", "CPU:0", "CPU:0")


def test_constants_follow_their_readers(graph):
    one, two, three = (tf.constant(float(i), name=f"c{i}") for i in (1, 2, 3))
    with tf.device("/gpu:1"):
        tf.square(one)
        tf.square(three)
    with tf.device("/cpu:0"):
        tf.square(two)
        tf.square(three)
    where = placed(graph)
    assert (where["c1"], where["c2"], where["c3"]) == ("GPU:1", "CPU:0", "GPU:0")


@pytest.mark.parametrize(
    "asked, device",
    [
        ("/gpu:1", "GPU:1"),
        ("/device:GPU:*", "GPU:0"),
        ("/cpu:0", "CPU:0"),
        ("/device:CPU:*", "CPU:0"),
        ("/job:localhost", "GPU:0"),
        ("/task:0/gpu:1", "GPU:1"),
    ],
)
def test_explicit_devices(graph, asked, device):
    with tf.device(asked):
        tf.square(tf.placeholder(tf.float32), name="y")
    assert placed(graph)["y"] == device


def test_devices_are_ordered_by_name(graph):
    tf.square(tf.placeholder(tf.float32), name="y")
    physical_gpus = machine(12)[3:]  # without GPU:0 and GPU:1
    assert placed(graph, [machine()[0], *reversed(physical_gpus)])["y"] == "GPU:10"


def test_cluster_placement(graph):
    devices = [
        *machine(0, "/job:ps/replica:0/task:0"),
        *machine(1, "/job:worker/replica:0/task:0"),
    ]
    with tf.device("/job:ps"):
        tf.square(1.0, name="there")
    with tf.device("/job:worker"):
        tf.square(1.0, name="here")
    tf.square(1.0, name="free")
    where = placed(graph, devices)
    assert where["there"] == "/job:ps/replica:0/task:0/device:CPU:0"
    assert where["here"] == where["free"] == "/job:worker/replica:0/task:0/device:GPU:0"


def test_placement_options_carry_over_to_other_graph():
    first = Placement(machine(), soft=True, log=True, pruned=True, mixed_precision=True)
    other = first.copy_for_graph()
    assert other.pruned and other.mixed_precision and other.devices == first.devices
    with tf.Graph().as_default() as graph, tf.device("/gpu:7"):
        far = tf.no_op()
    other.update(graph)
    other.place_step({far})
    assert other.op_device(far).endswith("GPU:0")


def test_placement_log_maps_devices(graph, capfd):
    tf.square(tf.placeholder(tf.float32, name="x"), name="y")
    placed(graph, log=True)
    assert capfd.readouterr().out.splitlines() == [
        "Device mapping:",
        f"{TASK}/device:GPU:0 -> device: 0, name: Card, pci bus id: 0000:00:00.0",
        f"{TASK}/device:GPU:1 -> device: 1, name: Card, pci bus id: 0000:01:00.0",
        f"y: (Square): {TASK}/device:GPU:0",
        f"x: (Placeholder): {TASK}/device:GPU:0",
    ]


def placing(graph, count):
    """The number of function calls needed to place a graph grown to `count` nodes."""
    x = tf.placeholder(tf.float32, [None, 4])
    towers = itertools.count()
    while len(graph.get_operations()) < count:
        with tf.device(f"/gpu:{next(towers) % 4}"):
            v = tf.Variable(tf.ones([4]))
            tf.reduce_sum(tf.nn.relu(x * v + 1.0))
    places = Placement(machine(4))
    calls = itertools.count()
    before = sys.getprofile()
    sys.setprofile(lambda *event: next(calls))
    try:
        places.update(graph)
    finally:
        sys.setprofile(before)
    assert {places.op_device(op)[-5:] for op in graph.get_operations() if op.type == "Relu"} == {
        f"GPU:{i}" for i in range(4)
    }
    return next(calls)


def test_placement_time_is_linear():
    with tf.Graph().as_default() as one, tf.Graph().as_default() as other:
        with one.as_default():
            small = placing(one, 1000)
        large = placing(other, 4000)
    assert large < 5 * small
