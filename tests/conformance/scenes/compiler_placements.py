"""Placement: node devices, growing graphs, and full messages of placement errors."""

import re
import tempfile

from tests.support import snippets
from tests.support.programs import wording


def _lines_of(stage, error):
    """All lines of an error, without the final node, which TensorFlow sometimes omits."""
    stage.say("!!", type(error).__name__)
    text = re.sub(r"\n?\t \[\[.*?\]\]", "\n", wording.scrub(error.message)).rstrip()
    group = []
    for line in text.split("\n"):
        if group and not line:  # the ops of a group, which TensorFlow lists in arbitrary order
            stage.say("; ".join(sorted(group)))
            group = []
        elif group or line.startswith("Root Member("):
            group.append(line)
        elif "Node attrs: " not in line and "; T in " not in line:
            stage.say(line)


def _placing(tf, stage, build, cpus=4, **options):
    """Builds and places a graph, again after each `yield`; records node devices, or the error."""
    config = tf.ConfigProto(device_count={"CPU": cpus}, log_device_placement=True, **options)
    with tf.Graph().as_default() as graph, tempfile.TemporaryFile() as file:
        session = None
        for _ in build(tf):
            try:
                with snippets.capture_output((1,), file):
                    session = session or tf.Session(config=config)
                    session.run(graph.get_operations()[0])
            except tf.errors.OpError as error:
                _lines_of(stage, error)
            stage.say("-")
        file.seek(0)
        log = [line for line in file.read().decode().split("\n") if ": (" in line]
        stage.say(*[line.replace("/job:localhost/replica:0/task:0/device:", "") for line in log])


def _each(tf, stage, *cases, **options):
    for case in cases:
        stage.say(case.__name__.strip("_"))
        _placing(tf, stage, case, **options)


def _apart(tf, one="/cpu:1", other="/cpu:2"):
    first = tf.no_op("first")
    with tf.device(one):
        a = tf.square(2.0, name="a")
    with tf.name_scope("s"), tf.colocate_with(a.op):
        b = tf.square(3.0, name="b")
    b.op._set_device(other)
    return first, a, b


def _numbers_apart(tf):
    yield _apart(tf)


def _types_apart(tf):
    yield _apart(tf, other="/gpu:2")


def _jobs_apart(tf):
    yield _apart(tf, "/job:localhost", "/job:ps/cpu:1")


def _tasks_apart(tf):
    yield _apart(tf, "/task:0/cpu:1", "/replica:0/task:1")


def _replicas_apart(tf):
    yield _apart(tf, "/replica:0/task:0", "/replica:2/task:0")


def _three_together(tf):
    first, a, b = _apart(tf, "/cpu:1", "/cpu:1")
    with tf.device("/cpu:3"), tf.colocate_with(a):
        with tf.colocate_with(b), tf.device(lambda op: "/cpu:2"):
            c = tf.negative(a, name="c")
    c.op._set_device("/cpu:2")
    yield


def _no_number(tf):
    tf.no_op("first")
    with tf.device("/task:0"), tf.device("/cpu:11"):
        tf.square(2.0, name="a")
    yield


def _nowhere_with_a_group(tf):
    first, a, b = _apart(tf, "/cpu:9", "/cpu:9")
    yield


def _a_group_elsewhere(tf):
    """The rejected node requests less than its colocation group."""
    first, a, b = _apart(tf, "/task:0", "/cpu:9")
    yield


def _a_group_that_one_member_sends_away(tf):
    first, a, b = _apart(tf, "", "/cpu:9")
    yield


def _malformed(tf):
    tf.no_op("first")
    with tf.control_dependencies([tf.no_op("before")]):
        a = tf.add(tf.constant([1.0], name="x"), 2.0, name="a")
    a.op._set_device("/cpu:0:1")
    yield


def refused(tf, stage):
    _each(tf, stage, _numbers_apart, _types_apart, _jobs_apart, _tasks_apart, _replicas_apart)
    _each(tf, stage, _three_together, _no_number, _nowhere_with_a_group, _a_group_elsewhere)
    _each(tf, stage, _a_group_that_one_member_sends_away, _malformed)
    _each(tf, stage, _no_number, cpus=11)


def softly(tf, stage):
    soft = {"allow_soft_placement": True}
    _each(tf, stage, _numbers_apart, _types_apart, _jobs_apart, _tasks_apart, **soft)
    _each(tf, stage, _three_together, _no_number, _nowhere_with_a_group, **soft)
    _each(tf, stage, _a_group_elsewhere, _a_group_that_one_member_sends_away, _malformed, **soft)


def _updates_elsewhere(tf):
    tf.no_op("first")
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v")
    tf.assign_add(v, 1.0, name="u").op._set_device("/task:0/cpu:2")
    tf.assign_add(v, 1.0, name="w").op._set_device("/job:localhost")
    yield


def _updates_after_placing(tf):
    yield from _updates_elsewhere(tf)
    v = tf.global_variables()[0]
    tf.assign_sub(v, 1.0, name="late").op._set_device("/cpu:3")
    yield
    with tf.device("/gpu:0"), tf.colocate_with(v):
        tf.no_op("beside")._set_device("/cpu:0")
    yield


def _two_of_one_update(tf):
    tf.no_op("first")
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v")
    with tf.device("/cpu:2"):
        m = tf.Variable(1.0, name="m")
    tf.raw_ops.ApplyMomentum(var=v._ref(), accum=m._ref(), lr=0.1, grad=1.0, momentum=0.9, name="u")
    yield


def _two_placed_then_one_update(tf):
    tf.no_op("first")
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v")
    m = tf.Variable(1.0, name="m")
    yield
    tf.raw_ops.ApplyMomentum(var=v._ref(), accum=m._ref(), lr=0.1, grad=1.0, momentum=0.9, name="u")
    yield


def _resources_elsewhere(tf):
    tf.no_op("first")
    with tf.device("/cpu:1"):
        v = tf.get_variable("v", [], use_resource=True)
    tf.raw_ops.AssignAddVariableOp(resource=v.handle, value=1.0, name="u")._set_device("/cpu:2")
    yield
    tf.raw_ops.AssignAddVariableOp(resource=v.handle, value=1.0, name="w")._set_device("/gpu:2")
    yield


def _a_placed_group_and_a_conflict(tf):
    tf.no_op("first")
    with tf.device("/cpu:2"):
        v = tf.Variable(1.0, name="v")
    yield
    with tf.colocate_with(v):
        a = tf.square(2.0, name="a")
        b = tf.square(3.0, name="b")
    a.op._set_device("/cpu:3")
    b.op._set_device("/job:localhost/task:0")
    yield


def _held_by_queues(tf):
    tf.no_op("first")
    with tf.device("/cpu:3"):
        q = tf.FIFOQueue(3, [tf.float32], name="q")
    q.enqueue(1.0)
    with tf.device("/cpu:1"):
        q.dequeue()
    q.close()
    yield


def held_together(tf, stage):
    cases = [_updates_elsewhere, _updates_after_placing, _two_of_one_update]
    cases += [_two_placed_then_one_update, _resources_elsewhere, _a_placed_group_and_a_conflict]
    cases += [_held_by_queues]
    _each(tf, stage, *cases)
    _each(tf, stage, *cases, allow_soft_placement=True)


def _attempt(stage, function, *args):
    """Records what a call returns; of an error, the class and the message about devices."""
    try:
        stage.say("->", function(*args))
    except Exception as error:
        stage.say("!!", type(error).__name__, re.findall(r"was .*", str(error))[:1])


def after_an_error(tf, stage):
    """After a placement error, a session stays unusable; another session need not be."""
    x = tf.square(2.0, name="x")
    session = tf.Session(config=tf.ConfigProto(device_count={"CPU": 2}))
    stage.attempt(session.run, x)
    stage.attempt(session.make_callable(x))
    with tf.device("/cpu:5"):
        y = tf.square(x, name="y")
    _attempt(stage, session.run, x)
    _attempt(stage, session.run, y)
    _attempt(stage, session.make_callable, x)
    _attempt(stage, session.make_callable, y.op)
    _attempt(stage, session.make_callable(y, [x]), 3.0)
    _attempt(stage, session.partial_run_setup, [y], [x])
    many = tf.Session(config=tf.ConfigProto(device_count={"CPU": 6}))
    _attempt(stage, many.run, y)
    _attempt(stage, many.make_callable(y))
    for each in (session, many):
        stage.say(*[d.name for d in each.list_devices() if "XLA" not in d.name])


def of_each_session(tf, stage):
    """Nodes that a step does not need are placed too, unless the graph is pruned first."""
    x = tf.square(2.0, name="x")
    with tf.device("/gpu:0"):
        tf.square(x, name="far")
    pruned = tf.ConfigProto(graph_options=tf.GraphOptions(place_pruned_graph=True))
    with tf.Session(config=pruned) as session:
        _attempt(stage, session.run, x)
        _attempt(stage, session.run, "far:0")
        _attempt(stage, session.run, x)
        _attempt(stage, session.run, "far:0", {x: 3.0})
        _attempt(stage, session.run, x, {"far:0": 3.0})
    for soft in (False, True):
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=soft)) as session:
            _attempt(stage, session.run, x)
            _attempt(stage, session.run, "far:0")
