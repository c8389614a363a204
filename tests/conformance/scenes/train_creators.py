"""Session creators, managers and monitored sessions: each argument with a rare value."""

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
