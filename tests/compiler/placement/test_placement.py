"""place: requested devices, colocation groups, soft placement, log output."""

import pytest

import tfmini as tf
from tests.executor.programs import placement

CPU = "/job:localhost/replica:0/task:0/device:CPU:"


def refused(places, graph):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        places.update(graph)
    return caught.value.message


@pytest.mark.parametrize(
    "asked, count, index",
    [
        ("", 2, 0),
        ("/cpu:1", 2, 1),
        ("/device:CPU:*", 2, 0),
        ("/job:localhost/task:0/cpu:1", 2, 1),
        ("/cpu", 1, 0),
        ("/job:localhost", 1, 0),
    ],
)
def test_device_specification_is_resolved(graph, asked, count, index):
    with tf.device(asked):
        node = tf.no_op()
    places = placement(device_count={"CPU": count})
    places.update(graph)
    assert places.op_device(node) == f"{CPU}{index}"


@pytest.mark.parametrize("asked", ["/gpu:0", "/cpu:3", "/job:ps", "/task:2", "/replica:1/cpu:0"])
def test_missing_device_is_rejected_regardless_of_fetches(graph, asked):
    with tf.device(asked):
        node = tf.no_op(name="far")
    message = refused(placement(), graph)
    assert message.startswith("Cannot assign a device for operation far: node far (defined at ")
    assert (
        f")  was explicitly assigned to {node.device} but available devices are [ {CPU}0 ]. Make sure"
        in message
    )
    assert message.endswith("\n\t [[far]]")


def test_soft_placement_of_missing_device_is_silent(graph, caplog):
    with tf.device("/gpu:0"):
        tf.Variable(1.0)
    placement(allow_soft_placement=True).update(graph)
    assert not caplog.records


def test_soft_placement(graph):
    with tf.device("/gpu:0"):
        near = tf.no_op()
    with tf.device("/cpu:7"):
        numbered = tf.no_op()
    places = placement(allow_soft_placement=True)
    places.update(graph)
    assert places.op_device(near) == places.op_device(numbered) == CPU + "0"
    with tf.device("/job:ps/gpu:0"):
        tf.no_op(name="far")
    assert "/job:ps" in refused(places, graph)


def test_colocation_groups_and_references_share_device(graph):
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0)
    update = v.assign_add(1.0)
    with graph.colocate_with(v.op):
        beside = tf.constant(1.0)
    free = tf.constant(1.0)
    places = placement(device_count={"CPU": 2})
    places.update(graph)
    on = [places.op_device(op)[-1] for op in (v.op, v.initializer, update.op, beside.op, free.op)]
    assert on == list("11110")


def test_new_nodes_are_placed_later(graph):
    places = placement()
    places.update(graph)
    with tf.device("/gpu:0"):
        tf.no_op(name="late")
    refused(places, graph)
    refused(places, graph)


def test_printed_placement(graph, capfd):
    x = tf.placeholder(tf.float32, [], name="x")
    v = tf.Variable(2.0, name="v")
    r = tf.Variable(3.0, name="r", use_resource=True)
    tf.cond(
        x > 0.0, lambda: tf.multiply(x, 2.0, name="twice"), lambda: tf.constant(1.0, name="one")
    )
    placement(log_device_placement=True).update(graph)
    lines = [
        line
        for line in capfd.readouterr().out.splitlines()
        if line.startswith(("v", "r", "c", "x", "G"))
    ]
    assert lines == [
        f"{name}: ({kind}): {CPU}0"
        for name, kind in [
            ("v", "VariableV2"),
            ("v/Assign", "Assign"),
            ("v/read", "Identity"),
            ("r/IsInitialized/VarIsInitializedOp", "VarIsInitializedOp"),
            ("r/Assign", "AssignVariableOp"),
            ("r/Read/ReadVariableOp", "ReadVariableOp"),
            ("Greater", "Greater"),
            ("cond/Switch", "Switch"),
            ("cond/switch_t", "Identity"),
            ("cond/switch_f", "Identity"),
            ("cond/pred_id", "Identity"),
            ("cond/twice/Switch", "Switch"),
            ("cond/twice", "Mul"),
            ("cond/Merge", "Merge"),
            ("x", "Placeholder"),
            ("v/initial_value", "Const"),
            ("r/Initializer/initial_value", "Const"),
            ("r", "VarHandleOp"),
            ("Greater/y", "Const"),
            ("cond/twice/y", "Const"),
            ("cond/one", "Const"),
        ]
    ]
    assert v.op.name == "v" and r.op.name == "r"


def test_overridden_devices_are_logged(graph, capfd):
    with tf.device("/job:localhost/cpu:1"):
        v = tf.Variable(1.0, name="v")
    tf.assign_add(v, 1.0, name="u").op._set_device("/cpu:0")
    with graph.colocate_with(v.op):
        beside = tf.constant(2.0, name="beside")
    beside.op._set_device("/job:ps/cpu:1")
    places = placement(
        device_count={"CPU": 2}, allow_soft_placement=True, log_device_placement=True
    )
    refused(places, graph)  # no such job
    first, second = capfd.readouterr().err.split("\n", 1)
    assert first == (
        "Ignoring device specification /device:CPU:0 for node 'u' because the input edge from 'v' is a reference "
        "connection and already has a device field set to /job:localhost/device:CPU:1"
    )
    assert second.startswith(
        "Ignoring request to colocate node 'beside' with nodes in colocation group 'v' because soft placement is on "
        "and an attempt at doing so resulted in the following error: Cannot colocate nodes node beside (defined at "
    )
    assert second.endswith(
        "Cannot merge devices with incompatible jobs: '/job:localhost/device:CPU:1' and '/job:ps/device:CPU:1'\n"
    )


def test_device_blocks_are_reported(graph):
    with tf.device("/cpu:0"), tf.device(lambda op: op.device):
        a = tf.square(1.0, name="a")
    with graph.colocate_with(a.op):
        b = tf.square(2.0, name="b")
    b.op._set_device("/cpu:1")
    message = refused(placement(), graph)
    line = test_device_blocks_are_reported.__code__.co_firstlineno
    location, told = message.split("]]Additional information about colocations:")
    assert location.endswith(f"\n\t [[node b (defined at {__file__}:{line + 4}) ")
    assert told.split("\n") == [
        "Node-device colocations active during op 'b' creation:",
        f"  with tf.colocate_with(a): <{__file__}:{line + 3}>",
        "No device assignments were active during op 'b' creation.",
        "No node-device colocations were active during op 'a' creation.",
        "Device assignments active during op 'a' creation:",
        f"  with tf.device(<lambda><{__file__}, {line + 1}>): <{__file__}:{line + 1}>",
        f"  with tf.device(/cpu:0): <{__file__}:{line + 1}>",
    ]
