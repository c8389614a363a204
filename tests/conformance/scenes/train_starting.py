"""Session initialization: Scaffolds, SessionManagers, creators, and MonitoredTrainingSession."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import os

import numpy as np

from tests.conformance.scenes import model


def _saved(tf, stage, step=7, folder=None):
    """A checkpoint of the model at a step."""
    with tf.Graph().as_default():
        model(tf)
        saver = tf.train.Saver()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(tf.assign(tf.train.get_global_step(), step))
            return saver.save(session, os.path.join(folder or stage.folder, "model"), step)


def a_scaffold_of_nothing(tf, stage):
    scaffold = tf.train.Scaffold().finalize()
    stage.say(scaffold.summary_op, scaffold.saver.saver_def)
    stage.nodes()
    with tf.train.SingularMonitoredSession(scaffold=scaffold) as session:
        stage.attempt(session.raw_session().run, scaffold.ready_op)


def scaffolds_of_others(tf, stage):
    kind = tf.train.Scaffold
    stage.attempt(kind, copy_from_scaffold="no scaffold")
    x = tf.constant(1.0)
    first = kind(
        init_op=x, init_fn=lambda scaffold, session: stage.say(scaffold is second), summary_op=x
    )
    second = kind(summary_op=x + 1, copy_from_scaffold=first)
    stage.say(second.init_op is x, second.summary_op.name, second.ready_op)
    second.init_fn("session")
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.READY_OP, tf.constant("more"))
    stage.attempt(kind().finalize)
    stage.say(kind.get_or_default("a", "mine", lambda: None), tf.get_collection("mine"))
    stage.say(kind.get_or_default("a", "mine", lambda: "made"), tf.get_collection("mine"))
    stage.say(kind.default_local_init_op().type)
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver([tf.Variable(1)]))
    stage.attempt(kind(ready_op=x).finalize)


def what_is_not_ready(tf, stage):
    v = tf.Variable(1.0, name="v")
    w = tf.Variable(v, name="w")
    manager, nothing = tf.train.SessionManager, tf.no_op(name="nothing")
    names = tf.report_uninitialized_variables()
    stage.attempt(manager, ready_for_local_init_op=names)
    stage.attempt(manager().prepare_session, "")
    both = {"checkpoint_dir": "a", "checkpoint_filename_with_path": "b"}
    stage.attempt(manager().prepare_session, "", init_op=nothing, saver=tf.train.Saver(), **both)
    stage.attempt(manager(ready_op=names).prepare_session, "", init_op=nothing)
    stage.attempt(manager(ready_op=names).prepare_session, "", init_op=[v.initializer, nothing])
    stage.attempt(manager(ready_op=v).prepare_session, "", init_op=nothing)
    for_local = manager(local_init_op=w.initializer, ready_op=names, ready_for_local_init_op=names)
    stage.attempt(for_local.prepare_session, "", init_op=v.initializer)
    stage.attempt(for_local.prepare_session, "", init_op=v.initializer, init_fn=len)
    asks = tf.report_uninitialized_variables([v])
    right = manager(local_init_op=w.initializer, ready_op=names, ready_for_local_init_op=asks)
    stage.say(right.prepare_session("", init_op=v.initializer).run([v, w]))
    numbers = manager(ready_op=tf.constant([1, 2], tf.int32))
    stage.say(type(numbers.prepare_session("", init_op=nothing)).__name__)
    stage.attempt(manager(ready_op=tf.constant(b"a text")).prepare_session, "", init_op=nothing)
    with tf.control_dependencies([tf.assert_equal(v, 2.0)]):
        failing = manager(ready_op=tf.constant([], tf.string))
    stage.attempt(failing.prepare_session, "", init_op=nothing)
    stage.attempt(manager().prepare_session, "nowhere://", init_op=nothing)


def checkpoints_at_the_start(tf, stage):
    model(tf)
    step = tf.train.get_global_step()
    saver, init = tf.train.Saver(), tf.global_variables_initializer()
    manager = tf.train.SessionManager(
        ready_op=tf.report_uninitialized_variables(), recovery_wait_secs=0.01
    )
    folder = {"saver": saver, "checkpoint_dir": stage.folder}
    for method in (manager.prepare_session, manager.recover_session):
        waits = {"wait_for_checkpoint": True, "max_wait_secs": 0.02}
        for more in ({}, waits):
            if method == manager.prepare_session:
                more = dict(more, init_op=init)
            found = method("", **dict(folder, **more))
            session = found[0] if isinstance(found, tuple) else found
            stage.say(
                found[1:] if isinstance(found, tuple) else "",
                session.run(tf.report_uninitialized_variables()),
            )
    path = _saved(tf, stage)
    stage.say(manager.prepare_session("", init_op=init, **folder).run(step))
    stage.say(saver.last_checkpoints == [path])
    session, found = manager.recover_session("", **folder)
    stage.say(found, session.run(step))
    session, found = manager.recover_session("", saver, checkpoint_filename_with_path=path)
    stage.say(found, session.run(step))
    stage.say(manager.recover_session("", None, stage.folder)[1])
    more = tf.Variable(1.0, name="more")
    asks = tf.report_uninitialized_variables([more])
    stage.say(tf.train.SessionManager(ready_op=asks).recover_session("", **folder)[1])
    local = tf.train.SessionManager(tf.no_op(), ready_for_local_init_op=asks)
    stage.say(local.recover_session("", **folder)[1])
    os.remove(path + ".index")
    stage.attempt(manager.recover_session, "", **folder)
    with open(stage.folder + "/checkpoint", "w") as file:
        file.write("nonsense: 3")
    stage.attempt(manager.prepare_session, "", init_op=init, **folder)


def waiting_for_a_model(tf, stage):
    v = tf.Variable(1.0, name="v")
    names = tf.report_uninitialized_variables()
    manager = tf.train.SessionManager(ready_op=names, recovery_wait_secs=0.02)
    stage.attempt(manager.wait_for_session, "", max_wait_secs=0)
    manager = tf.train.SessionManager(v.initializer, names, names, recovery_wait_secs=0.02)
    stage.attempt(manager.wait_for_session, "", max_wait_secs=0.01)
    manager = tf.train.SessionManager(v.initializer, names, recovery_wait_secs=0.02)
    stage.say(manager.wait_for_session("").run(v), manager.wait_for_session("", None, None).run(v))
    left = [[b"one", b"two"], [b"one"], []]
    asks = tf.py_func(lambda: np.array(left.pop(0), np.object_), [], tf.string)
    manager = tf.train.SessionManager(tf.no_op(), ready_op=asks, recovery_wait_secs=0.001)
    stage.say(type(manager.wait_for_session("", max_wait_secs=600)).__name__, left)


def hooks_of_training(tf, stage):
    model(tf)
    start = tf.train.MonitoredTrainingSession

    class Mine(tf.train.SessionRunHook):
        pass

    class Chiefs(tf.train.SessionRunHook):
        pass

    folder, other = stage.folder + "/a", stage.folder + "/b"
    for arguments in (
        {},
        {"checkpoint_dir": folder},
        {"checkpoint_dir": folder, "summary_dir": other},
        {"summary_dir": other},
        {"checkpoint_dir": folder, "save_checkpoint_secs": None},
        {"checkpoint_dir": folder, "save_checkpoint_secs": 0, "save_summaries_steps": 0},
        {"checkpoint_dir": folder, "save_summaries_secs": 1.5, "save_checkpoint_steps": 5},
        {"checkpoint_dir": folder, "save_summaries_steps": None, "log_step_count_steps": None},
        {"checkpoint_dir": folder, "log_step_count_steps": 0, "save_summaries_secs": None},
        {"checkpoint_dir": folder, "save_summaries_secs": 1, "save_summaries_steps": 1},
        {"checkpoint_dir": folder, "save_checkpoint_secs": 1, "save_checkpoint_steps": 1},
    ):
        stage.say("=", sorted(arguments.items()))

        def use():
            session = start(hooks=[Mine()], chief_only_hooks=[Chiefs()], **arguments)
            for hook in session._hooks:
                timer = getattr(hook, "_timer", None)
                times = timer and (timer._every_steps, timer._every_secs)
                where = getattr(hook, "_output_dir", getattr(hook, "_checkpoint_dir", None))
                stage.say(type(hook).__name__, times, where)
            session.close()

        stage.attempt(use)
        tf.get_default_graph()._unsafe_unfinalize()
