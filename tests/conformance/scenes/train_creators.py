"""Session creators, managers and monitored sessions: each argument with another value than usual."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import os

from tests.conformance.scenes import in_own_graph


def _config(tf):
    return tf.ConfigProto(device_count={"CPU": 3})


def _cpus(session):
    return sum(device.device_type == "CPU" for device in session.list_devices())


def _variable(tf, value=1.0, name="v"):
    with tf.device("/cpu:0"):
        return tf.Variable(value, name=name)


def _saved(tf, stage, value=5.0, step=7):
    with tf.Graph().as_default(), tf.Session() as session:
        v = _variable(tf, value)
        session.run(v.initializer)
        return tf.train.Saver([v]).save(session, stage.folder + "/saved/model", step)


def _managers(tf, stage):
    path = _saved(tf, stage)
    folder = os.path.dirname(path)
    v = _variable(tf)
    x = tf.placeholder(tf.float32, [], name="x")
    saver, manager = tf.train.Saver([v]), tf.train.SessionManager()
    config = _config(tf)
    seen = []
    session = manager.prepare_session("", v.initializer, config=config)
    stage.say(_cpus(session), session.run(v), session.sess_str)
    session = manager.prepare_session(
        "", init_op=v.assign(x), init_feed_dict={x: 3.0}, init_fn=lambda s: seen.append(s.run(v))
    )
    stage.say(session.run(v), seen)
    session = manager.prepare_session("", init_fn=lambda s: s.run(v.initializer))
    stage.say(session.run(v))
    for given in ({"checkpoint_dir": folder}, {"checkpoint_filename_with_path": path}):
        session = manager.prepare_session("", v.initializer, saver, config=config, **given)
        stage.say(session.run(v), _cpus(session))
        session = manager.prepare_session("", v.initializer, None, **given)
        stage.say(session.run(v))
        session, found = manager.recover_session("", saver, config=config, **given)
        stage.say(session.run(v), found, _cpus(session))
    stage.say(saver.last_checkpoints == [path])
    session = manager.wait_for_session("", config, 1)
    stage.say(_cpus(session))
    with tf.Graph().as_default() as other:
        tf.constant(1.0, name="c")
    elsewhere = tf.train.SessionManager(graph=other)
    stage.say(elsewhere.wait_for_session("").graph is other)
    for use in (
        lambda: manager.prepare_session("nowhere", v.initializer),
        lambda: manager.recover_session("nowhere"),
        lambda: manager.wait_for_session("nowhere"),
    ):
        stage.attempt(use)
    limits = tf.train.SessionManager(
        tf.group(v.initializer), local_init_run_options=tf.RunOptions(inter_op_thread_pool=7)
    )
    stage.attempt(limits.prepare_session, "")
    stage.attempt(limits.wait_for_session, "", max_wait_secs=0)


managers = in_own_graph(_managers)


def _creators(tf, stage):
    path = _saved(tf, stage)
    folder = os.path.dirname(path)
    train = tf.train
    v = _variable(tf)
    config = _config(tf)
    for options in (
        {"config": config},
        {"checkpoint_dir": folder},
        {"checkpoint_filename_with_path": path},
        {"checkpoint_dir": folder, "checkpoint_filename_with_path": path},
        {"master": "nowhere"},
    ):
        stage.say(sorted(options))

        def use():
            with tf.Graph().as_default():
                v = _variable(tf)
                session = train.ChiefSessionCreator(**options).create_session()
                stage.say(session.run(v), _cpus(session), tf.get_default_graph().finalized)
            with tf.Graph().as_default():
                v = _variable(tf)
                with train.SingularMonitoredSession(**options) as session:
                    stage.say(session.run(v), _cpus(session.raw_session()))

        stage.attempt(use)
    ready = {"ready_op": tf.constant([], tf.string), "local_init_op": v.initializer}
    ready["ready_for_local_init_op"] = ready["ready_op"]
    scaffold = train.Scaffold(**ready)
    session = train.WorkerSessionCreator(scaffold, config=config, max_wait_secs=1).create_session()
    stage.say(session.run(v), _cpus(session))
    tf.get_default_graph()._unsafe_unfinalize()
    stage.attempt(train.WorkerSessionCreator(scaffold, "nowhere").create_session)
    tf.get_default_graph()._unsafe_unfinalize()
    again = train.ChiefSessionCreator(scaffold)
    first, second = again.create_session(), again.create_session()
    stage.say(first is second, first.run(v), second.run(v))
    stage.attempt(train.SessionCreator)


creators = in_own_graph(_creators)


def _sessions_of_training(tf, stage):
    path = _saved(tf, stage)
    start = tf.train.MonitoredTrainingSession
    for options in (
        {"config": _config(tf)},
        {"checkpoint_dir": os.path.dirname(path)},
        {"scaffold": lambda v: tf.train.Scaffold(init_op=v.assign(9.0))},
        {"scaffold": lambda v: tf.train.Scaffold(init_fn=lambda s, session: s.init_op)},
        {"master": "nowhere"},
        {"is_chief": False, "master": "nowhere"},
        {"stop_grace_period_secs": 1, "save_checkpoint_secs": None},
    ):
        stage.say(sorted(options))

        def use():
            with tf.Graph().as_default():
                v = _variable(tf)
                tf.train.create_global_step()
                given = dict(options)
                if "scaffold" in given:
                    given["scaffold"] = given["scaffold"](v)
                if "checkpoint_dir" in given:
                    given["scaffold"] = tf.train.Scaffold(saver=tf.train.Saver([v]))
                    given["scaffold"]._local_init_op = tf.global_variables_initializer()
                    given["scaffold"]._ready_for_local_init_op = tf.constant([], tf.string)
                    given.update(save_checkpoint_secs=None, save_summaries_steps=None)
                    given.update(log_step_count_steps=None)
                with start(**given) as session:
                    stage.say(session.run(v), _cpus(session._tf_sess()))

        stage.attempt(use)


sessions_of_training = in_own_graph(_sessions_of_training)


def scaffolds(tf, stage):
    train = tf.train
    x, y = tf.constant(1.0, name="x"), tf.constant([], tf.string, name="y")
    saver = train.Saver([_variable(tf)])

    def fill(scaffold, session):
        stage.say("called", type(scaffold).__name__, session)
        return 7

    whole = {
        "init_op": x.op,
        "init_feed_dict": {x: 2.0},
        "init_fn": fill,
        "ready_op": y,
        "ready_for_local_init_op": y,
        "local_init_op": x.op,
        "summary_op": x,
        "saver": saver,
    }

    def shown(scaffold):
        for name in sorted(whole):
            value = getattr(scaffold, name)
            is_same = value is whole[name]
            stage.say(name, is_same if not callable(value) else type(value).__name__)

    first = train.Scaffold(**whole)
    shown(first)
    stage.say(first.init_fn("session"))
    second = train.Scaffold(copy_from_scaffold=first)
    shown(second)
    stage.say(second.init_fn("other session"))
    third = train.Scaffold(init_op=y.op, init_feed_dict={}, copy_from_scaffold=first)
    stage.say(third.init_op.name, third.init_feed_dict, third.saver is saver)
    shown(train.Scaffold())
    for name in sorted(whole):
        try:
            setattr(first, name, None)
        except AttributeError:
            stage.say("not", name)
    stage.say(
        first.finalize() is first, [getattr(first, name) is whole[name] for name in whole][:2]
    )
    stage.say(sorted(tf.get_default_graph().get_all_collection_keys()))


def loops(tf, stage):
    v = _variable(tf)
    sv = tf.train.Supervisor(save_model_secs=0, save_summaries_secs=0)
    seen = []

    def step(session, *args, **kwargs):
        seen.append((args, kwargs, float(session.run(v))))
        sv.request_stop()

    tf.train.basic_train_loop(sv, step)
    tf.train.basic_train_loop(sv, step, (1, 2), {"a": 3}, "")
    tf.train.basic_train_loop(sv, step, kwargs={"b": 4}, master="")
    stage.say(seen)
    stage.attempt(tf.train.basic_train_loop, sv, step, master="nowhere")
    stage.say(len(seen))


def hooks_by_default(tf, stage):
    """What hooks without methods of their own give."""
    hook = tf.train.SessionRunHook()
    stage.say(hook.begin(), hook.after_create_session(None, None), hook.before_run(None))
    stage.say(hook.after_run(None, None), hook.end(None))
    listener = tf.train.CheckpointSaverListener()
    stage.say(listener.begin(), listener.before_save(None, 1), listener.after_save(None, 1))
    stage.say(listener.end(None, 1))
    A, V = tf.train.SessionRunArgs, tf.train.SessionRunValues
    stage.say(A(1), A([1], {2: 3}), A(fetches=None, options=4), A(1) == A(1), A(1)._fields)
    stage.say(V(1, 2, 3), V._fields)
    context = tf.train.SessionRunContext(A(1), "session")
    stage.say(context.original_args, context.session, context.stop_requested)
    context.request_stop()
    stage.say(context.stop_requested)
    for name in ("original_args", "session", "stop_requested"):
        try:
            setattr(context, name, None)
        except AttributeError:
            stage.say("not", name)
    error = tf.train.NanLossDuringTrainingError()
    stage.say(str(error), isinstance(error, RuntimeError), error.args)
    stage.say(str(tf.train.NanLossDuringTrainingError("mine")))
