"""Hooks of tf.train: files, logs, requests and errors."""

import os

import numpy as np

from tests.conformance.scenes import model


def _steps(tf, hooks, *fetches, **options):
    """Runs steps until a hook requests a stop, at most 9."""
    with tf.train.SingularMonitoredSession(hooks=hooks, **options) as session:
        for _ in range(9):
            if session.should_stop():
                break
            session.run(fetches)


def savers_of_the_saver_hook(tf, stage):
    train, _ = model(tf)
    hook, scaffold = tf.train.CheckpointSaverHook, tf.train.Scaffold()
    stage.attempt(hook, stage.folder, save_steps=1, saver=tf.train.Saver(), scaffold=scaffold)
    stage.attempt(hook, stage.folder)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    alone = hook(stage.folder, save_steps=1)
    alone.begin()
    stage.attempt(alone.after_create_session, session, None)
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver())
    tf.get_default_graph().clear_collection(tf.GraphKeys.SAVERS)
    alone = hook(stage.folder, save_steps=1)
    alone.begin()
    for _ in range(2):
        tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver())
    stage.attempt(alone.after_create_session, session, None)


def logging(tf, stage):
    train, _ = model(tf)
    loss = tf.constant(0.1, name="steady")  # the model's one is read before or after a step
    hook = tf.train.LoggingTensorHook
    both = {"loss": loss, "b": "w/initial_value"}
    for arguments in ({}, {"every_n_iter": 1, "every_n_secs": 1}, {"every_n_iter": 0}):
        stage.attempt(hook, both, **arguments)
    stage.attempt(hook, both, every_n_iter=-1)
    split = tf.split(tf.constant([1.0, 2.0]), 2, name="halves")
    with tf.Graph().as_default():
        stranger = tf.constant(1.0)
    for wrong in (["halves"], ["nowhere"], [1.0], ["w:3"]):
        stage.attempt(hook(wrong, every_n_iter=1).begin)
    try:
        hook([stranger], every_n_iter=1).begin()
    except ValueError as error:
        stage.say(str(error).split(" that is")[0])
    hooks = [hook(both, every_n_iter=3), hook(["steady:0", split[0]], every_n_iter=4)]
    hooks += [hook({"at_end": loss}, at_end=True), hook([loss], every_n_secs=1000.0, at_end=True)]
    hooks += [hook(both, every_n_iter=5, formatter=lambda v: f"formatted {sorted(v)}")]
    _steps(tf, hooks, train)
    with np.printoptions(precision=3):
        many = tf.constant(np.arange(4) / 3.0 * 1e-9, name="many")
        _steps(tf, [hook(["many"], every_n_iter=100)], many)


def summaries(tf, stage):
    train, loss = model(tf)
    hook, scaffold = tf.train.SummarySaverHook, tf.train.Scaffold()
    merged = tf.summary.merge_all()
    other = tf.summary.scalar("other", loss * 2)
    for arguments in ({}, {"save_steps": 1}, {"scaffold": scaffold, "summary_op": merged}):
        stage.attempt(hook, **arguments)
    stage.attempt(hook, scaffold=scaffold)
    folders = [os.path.join(stage.folder, name) for name in "abcd"]
    writer = tf.summary.FileWriter(folders[2])
    hooks = [hook(save_steps=4, output_dir=folders[0], summary_op=merged)]
    hooks += [hook(save_steps=5, output_dir=folders[1], summary_op=[merged, other])]
    hooks += [hook(save_secs=0.0, summary_writer=writer, summary_op=other)]
    hooks += [hook(save_steps=1, summary_op=other)]
    _steps(tf, hooks, train)
    tf.get_default_graph()._unsafe_unfinalize()
    tf.get_default_graph().clear_collection(tf.GraphKeys.SUMMARIES)
    _steps(tf, [hook(save_steps=3, output_dir=folders[3], scaffold=scaffold)], train)
    for folder in folders:
        stage.say("=", folder)
        stage.events(folder)


def waiting_for_a_step(tf, stage):
    train, _ = model(tf)
    tf.train.get_global_step()
    _steps(tf, [tf.train.GlobalStepWaiterHook(0)], train)
    tf.get_default_graph()._unsafe_unfinalize()
    jump = tf.assign(tf.train.get_global_step(), 2000)
    scaffold = tf.train.Scaffold(init_fn=lambda scaffold, session: session.run(jump))
    hooks = [tf.train.GlobalStepWaiterHook(1500), tf.train.StopAtStepHook(last_step=2003)]
    with tf.train.SingularMonitoredSession(hooks, scaffold=scaffold) as session:
        while not session.should_stop():
            session.run(train)
        stage.say(session.raw_session().run("global_step:0"))


def final_ops(tf, stage):
    train, loss = model(tf)
    x = tf.placeholder(tf.float32, [])
    hook = tf.train.FinalOpsHook({"loss": loss, "x": x + 1}, {x: 2.0})
    stage.say(hook.final_ops_values)
    _steps(tf, [hook, tf.train.StopAtStepHook(2), tf.train.FinalOpsHook(None)], train)
    stage.say(sorted(hook.final_ops_values.items()))
    tf.get_default_graph()._unsafe_unfinalize()
    queue = tf.FIFOQueue(1, tf.float32)
    closed = queue.close()
    with tf.control_dependencies([closed]):
        empty = queue.dequeue()
    final = tf.train.FinalOpsHook(empty)
    stage.attempt(_steps, tf, [final], loss)
    stage.say(final.final_ops_values)
    stage.attempt(_steps, tf, [tf.train.FinalOpsHook(x)], loss)
