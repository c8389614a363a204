"""tfdbg's sessions and hooks: dumps of steps, session members, errors."""

import importlib
import os

from tests.conformance.scenes import in_own_graph, model


def _debug(tf):
    package = "tensorflow" if tf.__name__ == "tensorflow" else "tfmini.compat"
    return importlib.import_module(package + ".python.debug")


def _nodes(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    with tf.name_scope("s"):
        y = tf.log(x, name="y")
        parts = tf.split(y, 2, name="parts")
    words = tf.as_string(tf.to_int32(x, name="ints"), name="words")
    tf.add_n([parts[0], parts[1]], name="sum")
    return x, y, words


def _dumped(tf, stage, root):
    """Records the contents of each step's folder, in order."""
    debug = _debug(tf)
    numbers = {int(name.rsplit("_", 1)[1]): name for name in os.listdir(root)}
    for number in sorted(numbers):
        found = debug.DebugDumpDir(os.path.join(root, numbers[number]))
        stage.say("run", number, found.devices(), found.run_fetches_info)
        stage.say(found.run_feed_keys_info)
        core = found.core_metadata
        if isinstance(core, list):
            stage.say(core, found.size)
            continue
        stage.say(core.global_step, core.input_names, core.output_names, core.target_nodes)
        for datum in sorted(found.dumped_tensor_data, key=lambda each: each.watch_key):
            value = datum.get_tensor()
            stage.say(datum.watch_key, datum.debug_op, value.dtype, value.shape, value)


def steps_that_are_written(tf, stage):
    debug, root = _debug(tf), stage.folder + "/root"
    x, y, words = _nodes(tf)

    def watch(fetches, feeds):
        stage.say("asked", fetches, sorted(each.name for each in feeds or ()))
        return debug.WatchOptions(node_name_regex_whitelist="s/y|s/parts|words|sum")

    with tf.Session() as plain:
        session = debug.DumpingDebugWrapperSession(plain, root, watch_fn=watch, log_usage=False)
        stage.say(session.session is plain, session.graph is y.graph, session.sess_str)
        stage.say(len(session.graph_def.node), os.path.isdir(root))
        stage.say(session.run(y, {x: [1.0, 1.0]}))
        stage.say(session.run([words, "sum:0"], feed_dict={x: [1.0, 0.0]}))
        stage.say(session.run({"a": y.op, "b": (words,)}, {x: [1.0, 2.0]}))
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run(y, {x: [1.0, 1.0]}, options=options, run_metadata=metadata)
        stage.say(len(metadata.step_stats.dev_stats) > 0)
        stage.attempts(
            lambda: session.run({}),
            lambda: session.partial_run_setup([y], [x]),
            lambda: session.partial_run("h", y),
            lambda: session.should_stop(),
        )
        stage.say(len(os.listdir(root)))
        devices = session.list_devices()
        stage.say([d.device_type for d in devices if "XLA" not in d.device_type])
    _dumped(tf, stage, root)


def callables_and_steps(tf, stage):
    debug, root = _debug(tf), stage.folder + "/root"
    x, y, words = _nodes(tf)
    session = debug.DumpingDebugWrapperSession(
        tf.Session(), root, lambda fetches, feeds: debug.WatchOptions(op_type_regex_whitelist="Log")
    )
    step = session.make_callable([y, words], feed_list=[x])
    stage.say(step([1.0, 1.0]), len(os.listdir(root)))
    stage.say(session.make_callable(tf.constant(3.0))())
    stage.say(session.make_callable(y.op, [x])([2.0, 1.0]))
    stage.attempt(session.make_callable, y, x)
    stage.attempt(step, 1, 2)

    def own(step_context):
        stage.say(type(step_context.session).__name__)
        return step_context.run_with_hooks(words, {x: [3.0, 4.0]})

    stage.attempt(session.run_step_fn, own)
    stage.say(len(os.listdir(root)))
    session.close()


def what_is_refused(tf, stage):
    debug = _debug(tf)
    kinds = debug.DumpingDebugWrapperSession, debug.LocalCLIDebugWrapperSession
    full = stage.folder + "/full"
    os.makedirs(full + "/x")
    open(stage.folder + "/file", "w").close()
    session = tf.Session()
    for kind in kinds:
        with stage.failing():
            kind(3, stage.folder + "/a")
        with stage.failing():
            kind(None, stage.folder + "/a")
        stage.attempt(kind, session, full)
        stage.attempt(kind, session, stage.folder + "/file")
    stage.attempts(
        lambda: kinds[0](session, stage.folder + "/b", watch_fn="no function"),
        lambda: debug.LocalCLIDebugHook(ui_type="curses").begin(),
    )
    for options in (
        {},
        {"debug_ops": ["DebugIdentity"]},
        {"node_name_regex_whitelist": "a", "op_type_regex_whitelist": "b"},
        {"tensor_dtype_regex_whitelist": "c", "tolerate_debug_op_creation_failures": True},
    ):
        made = debug.WatchOptions(**options)
        stage.say(made.debug_ops, made.node_name_regex_whitelist, made.op_type_regex_whitelist)
        stage.say(made.tensor_dtype_regex_whitelist, made.tolerate_debug_op_creation_failures)
        stage.say(repr(made))


@in_own_graph
def hooks(tf, stage):
    debug, root = _debug(tf), stage.folder + "/root"
    train, loss = model(tf)

    def watch(fetches, feeds):
        stage.say("asked", fetches, feeds)
        return debug.WatchOptions(node_name_regex_whitelist="(loss|w|w/read|global_step)$")

    hook = debug.DumpingDebugHook(root, watch_fn=watch, log_usage=False)
    with tf.train.SingularMonitoredSession(hooks=[hook]) as session:
        stage.say(session.run(loss))
        session.run(train)
        stage.say(session.run(loss))
        stage.say(len(os.listdir(root)))
    numbers = {int(name.rsplit("_", 1)[1]): name for name in os.listdir(root)}
    for number in sorted(numbers):
        found = debug.DebugDumpDir(os.path.join(root, numbers[number]))
        for name in ("loss", "w", "w/read", "global_step"):
            stage.attempt(found.get_tensors, name, 0, "DebugIdentity")
        stage.say(found.run_feed_keys_info, found.size)
    hook = debug.DumpingDebugHook(root)
    tf.get_default_graph()._unsafe_unfinalize()
    with stage.failing(), tf.train.SingularMonitoredSession(hooks=[hook]) as session:
        session.run(loss)


@in_own_graph
def wrapped_monitored_sessions(tf, stage):
    debug = _debug(tf)
    train, loss = model(tf)
    stop = tf.train.StopAtStepHook(last_step=2)
    with tf.train.MonitoredSession(hooks=[stop]) as plain:
        session = debug.DumpingDebugWrapperSession(
            plain,
            stage.folder + "/a",
            lambda fetches, feeds: debug.WatchOptions(node_name_regex_whitelist="loss$"),
        )
        stage.say(session.should_stop(), session.graph is loss.graph)
        count = 0
        while not session.should_stop() and count < 9:
            session.run([train, loss])
            count += 1
        stage.say(count, len(os.listdir(stage.folder + "/a")) > 0)


def errors_of_steps(tf, stage):
    debug = _debug(tf)
    x, y, _ = _nodes(tf)
    bad = tf.check_numerics(y, "not a number", name="bad")

    def chosen(fetches, feeds):
        return ["DebugIdentity"], "s/y"

    for number, options in enumerate(
        [{}, {"pass_through_operrors": True}, {"pass_through_operrors": False}]
    ):
        root = f"{stage.folder}/{number}"
        session = debug.DumpingDebugWrapperSession(tf.Session(), root, chosen, **options)
        with stage.failing():
            found = session.run(bad, {x: [0.0, 0.0]})
            stage.say(type(found).__name__, found.message.split(" : ")[0], found.op.name)
        stage.attempt(session.run, y, {x: [1.0, 2.0, 3.0]})
        stage.attempt(session.run, "none:0")
        stage.attempt(session.run, y, {x: [1.0, 1.0]})
        stage.say(len(os.listdir(root)))
        session.close()
        stage.attempt(session.run, y, {x: [1.0, 1.0]})
