"""place_pruned_graph, and interactive sessions, which set it: unneeded nodes are not placed."""

import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus

PRUNED = {"graph_options": tf.GraphOptions(place_pruned_graph=True)}


def add_what_cannot_be_placed():
    with tf.device("/gpu:5"):
        return tf.constant(1.0, name="elsewhere")


def sessions():
    yield lambda: tf.Session(config=tf.ConfigProto(**PRUNED))
    yield tf.InteractiveSession
    yield lambda: tf.InteractiveSession(config=tf.ConfigProto())


@pytest.mark.parametrize("make", list(sessions()), ids=["option", "interactive", "with_config"])
def test_unneeded_nodes_are_not_placed(make):
    elsewhere = add_what_cannot_be_placed()
    x = tf.placeholder(tf.float32, [])
    y = x * elsewhere
    session = make()
    try:
        assert session.run(tf.constant(3.0) + 1.0) == 4.0
        assert session.run(y, {x: 2.0, elsewhere: 3.0}) == 6.0
        message = "operation elsewhere: node elsewhere .*explicitly assigned to /device:GPU:5"
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            session.run(y, {x: 2.0})
        handle = session.partial_run_setup([y], [x, elsewhere])
        assert session.partial_run(handle, y, {x: 2.0, elsewhere: 4.0}) == 8.0
        assert session.run(tf.constant(3.0) + 2.0) == 5.0
    finally:
        session.close()


def test_default_config_places_all_nodes():
    add_what_cannot_be_placed()
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot assign a device"):
            session.run(tf.constant(1.0))


def test_caller_config_is_not_modified():
    config = tf.ConfigProto()
    tf.InteractiveSession(config=config).close()
    assert config == tf.ConfigProto()


def test_steps_log_placement_and_keep_variables(capfd):
    """The log is TensorFlow's, without its feed and fetch nodes."""
    config = tf.ConfigProto(log_device_placement=True, device_count={"CPU": 2}, **PRUNED)
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v")
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.add(x, v, name="y")
    z = tf.multiply(y, 2.0, name="z")
    logs = []

    def run(*arguments):
        session.run(*arguments)
        lines = capfd.readouterr().out.splitlines()
        logs.append([line.replace("/job:localhost/replica:0/task:0", "") for line in lines])

    with tf.Session(config=config) as session:
        capfd.readouterr()
        run(v.initializer)
        run(z, {x: 1.0})
        run(z, {y: 1.0})
        run(z, {x: 1.0})
        with tf.device("/cpu:0"):
            u = tf.assign(v, 3.0, name="u")
        run([u, z], {x: 1.0})
    step = [
        "v: (VariableV2): /device:CPU:1",
        "v/read: (Identity): /device:CPU:1",
        "y: (Add): /device:CPU:0",
        "z: (Mul): /device:CPU:0",
    ]
    assert logs == [
        [
            "v: (VariableV2): /device:CPU:1",
            "v/Assign: (Assign): /device:CPU:1",
            "v/initial_value: (Const): /device:CPU:1",
        ],
        [*step, "z/y: (Const): /device:CPU:0"],
        ["z: (Mul): /device:CPU:0", "z/y: (Const): /device:CPU:0"],
        [],
        [
            *step,
            "u: (Assign): /device:CPU:1",
            "z/y: (Const): /device:CPU:0",
            "u/value: (Const): /device:CPU:0",
        ],
    ]


def test_pruned_placement_on_gpus():
    with fake_gpus(devices=1), tf.Graph().as_default():
        with tf.device("/gpu:0"):
            v = tf.Variable([1.0, 2.0])
        with tf.device("/gpu:7"):
            tf.constant(1.0)
        handle = tf.get_variable("r", initializer=[3.0, 4.0], use_resource=True)
        session = tf.InteractiveSession()
        try:
            session.run([v.initializer, handle.initializer])
            assert session.run(v * 2.0 + handle).tolist() == [5.0, 8.0]
            assert session.run(v.assign_add(v)).tolist() == [2.0, 4.0]
        finally:
            session.close()
