"""Training and evaluation in a single call: tf.contrib.training, slim.learning, slim.evaluation."""

import os

from tests.conformance.scenes import model


def _saved(tf, stage, *steps):
    """Checkpoints of a variable v at these steps."""
    paths = []
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(0.0, name="v")
        tf.train.get_or_create_global_step()
        saver = tf.train.Saver()
        session.run(tf.global_variables_initializer())
        for step in steps:
            session.run(v.assign(step))
            paths.append(saver.save(session, stage.folder + "/saved/model", step))
    return paths


def _evaluated(tf):
    """(v, an op that accumulates it, the sum)."""
    v = tf.Variable(0.0, name="v")
    tf.train.get_or_create_global_step()
    total = tf.Variable(0.0, name="total", collections=[tf.GraphKeys.LOCAL_VARIABLES])
    tf.summary.scalar("total_seen", total)
    return v, tf.assign_add(total, v).op, total


def contrib_train(tf, stage):
    train, loss = model(tf)
    training = tf.contrib.training
    stage.attempt(training.train, train, None)
    stage.attempt(training.train, train, None, save_summaries_steps=None)
    stop = tf.train.StopAtStepHook
    step = training.create_train_op(
        tf.reduce_sum(tf.constant([1.0, 2.0]) * tf.Variable(2.0)),
        tf.train.GradientDescentOptimizer(0.0),
    )
    nothing = {"save_summaries_steps": None, "save_checkpoint_secs": None}
    stage.say(training.train(step, None, hooks=[stop(2)], **nothing))
    tf.get_default_graph()._unsafe_unfinalize()
    stage.say(training.train(step, stage.folder, hooks=[stop(3)], save_summaries_steps=2))
    stage.files()
    stage.events()
    tf.get_default_graph()._unsafe_unfinalize()
    stage.say(training.train(step, stage.folder, hooks=[stop(2)], save_checkpoint_secs=0))


def evaluate_once(tf, stage):
    training = tf.contrib.training
    path = _saved(tf, stage, 3, 5)[0]
    v, update, total = _evaluated(tf)
    hooks = [training.StopAfterNEvalsHook(3), training.SummaryAtEndHook(stage.folder + "/log")]
    stage.say(training.evaluate_once(path, eval_ops=update, final_ops={"sum": total}, hooks=hooks))
    stage.say([each.name for each in tf.get_collection(tf.GraphKeys.EVAL_STEP)])
    stage.say([each.name for each in tf.local_variables()], len(hooks))
    stage.nodes()
    stage.events(stage.folder + "/log")
    tf.get_default_graph()._unsafe_unfinalize()
    stage.say(training.evaluate_once(path, final_ops=[v, total]))
    tf.get_default_graph()._unsafe_unfinalize()
    stage.say(training.evaluate_once(None, final_ops=v))
    tf.get_default_graph()._unsafe_unfinalize()
    stage.attempt(training.evaluate_once, stage.folder + "/none", final_ops=v)
    tf.get_default_graph()._unsafe_unfinalize()
    ops = {"mine": update}
    x = tf.placeholder(tf.float32, [])
    hooks = [training.StopAfterNEvalsHook(20, log_progress=False), training.StopAfterNEvalsHook(40)]
    training.evaluate_once(path, eval_ops=ops, hooks=hooks)
    stage.say(sorted(ops))
    tf.get_default_graph()._unsafe_unfinalize()
    hooks = [training.StopAfterNEvalsHook(1)]
    stage.say(training.evaluate_once(path, eval_ops=(update, x), feed_dict={x: 1}, hooks=hooks))
    tf.get_default_graph()._unsafe_unfinalize()
    queue = tf.FIFOQueue(3, tf.float32)
    fill = tf.group(queue.enqueue_many([[1.0, 2.0]]))
    with tf.control_dependencies([fill]):
        close = queue.close()
    scaffold = tf.train.Scaffold(local_init_op=tf.group(close, tf.local_variables_initializer()))
    hooks = [training.StopAfterNEvalsHook(None)]
    stage.say(
        training.evaluate_once(path, scaffold=scaffold, eval_ops=queue.dequeue(), hooks=hooks)
    )


def evaluate_repeatedly(tf, stage):
    training = tf.contrib.training
    _saved(tf, stage, 3, 5)
    v, update, total = _evaluated(tf)
    hooks = [training.StopAfterNEvalsHook(2), training.SummaryAtEndHook(stage.folder + "/log")]
    evaluate = training.evaluate_repeatedly
    folder = stage.folder + "/saved"
    asked = []

    def timed_out():
        asked.append(1)
        stage.say("asked", len(asked))
        if len(asked) == 2:
            _saved(tf, stage, 7)
        return len(asked) > 3

    waits = {"eval_interval_secs": 0, "timeout": 0, "timeout_fn": timed_out}
    stage.say(evaluate(folder, eval_ops=update, final_ops=total, hooks=hooks, **waits))
    stage.events(stage.folder + "/log")
    stage.say(len(hooks))
    tf.get_default_graph()._unsafe_unfinalize()
    stage.say(evaluate(folder, final_ops=v, eval_interval_secs=0, max_number_of_evaluations=1))
    tf.get_default_graph()._unsafe_unfinalize()
    stage.say(evaluate(stage.folder, final_ops=v, eval_interval_secs=0, timeout=0))


def parts_of_evaluation(tf, stage):
    training = tf.contrib.training
    stage.attempt(training.SummaryAtEndHook)
    stage.say(training.get_or_create_eval_step().name, training.get_or_create_eval_step().dtype)
    tf.add_to_collection(tf.GraphKeys.EVAL_STEP, tf.constant(1))
    stage.attempt(training.get_or_create_eval_step)
    stage.say(training.wait_for_new_checkpoint(stage.folder, timeout=0))
    stage.say(list(training.checkpoints_iterator(stage.folder, timeout=0)))
    paths = _saved(tf, stage, 1, 2)
    folder = stage.folder + "/saved"
    stage.say(training.wait_for_new_checkpoint(folder) == paths[1])
    stage.say(training.wait_for_new_checkpoint(folder, paths[1], timeout=0))
    writer = tf.summary.FileWriter(stage.folder + "/log")
    tf.summary.scalar("one", 1.0)
    with tf.train.MonitoredSession(hooks=[training.SummaryAtEndHook(summary_writer=writer)]):
        pass
    stage.events(stage.folder + "/log")


def slim_refuses(tf, stage):
    train, _ = model(tf)
    learn = tf.contrib.slim.learning.train
    stage.attempt(learn, None, None)
    for arguments in (
        {"summary_op": train},
        {"saver": train},
        {"trace_every_n_steps": 1},
        {"number_of_steps": 0},
        {"number_of_steps": -1},
        {"sync_optimizer": train, "startup_delay_steps": 1},
        {"sync_optimizer": train},
    ):
        stage.attempt(learn, train, None, **arguments)
    step = tf.contrib.slim.learning.train_step
    stage.attempt(step, None, train, None, {"should_trace": train})


def slim_train(tf, stage):
    slim = tf.contrib.slim
    w = tf.Variable([2.0, 3.0], name="w")
    tf.summary.scalar("one", 1.0)
    loss = tf.reduce_sum(w)
    train = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.0))
    saver = tf.train.Saver()
    quiet = {"save_summaries_secs": 0, "save_interval_secs": 0, "saver": saver}
    run = slim.learning.train
    stage.say(run(train, stage.folder, number_of_steps=3, log_every_n_steps=2, **quiet))
    stage.nodes()
    stage.files()
    stage.events()
    tf.get_default_graph()._unsafe_unfinalize()
    stage.say(run(train, stage.folder, number_of_steps=4, **quiet))
    tf.get_default_graph()._unsafe_unfinalize()
    stage.say(run(train, stage.folder, number_of_steps=4, **quiet))
    tf.get_default_graph()._unsafe_unfinalize()
    stage.say(run(train, None, number_of_steps=2, log_every_n_steps=0))
    tf.get_default_graph()._unsafe_unfinalize()
    left = [tf.errors.AbortedError(None, None, "gone"), None]

    def step(session, train_op, global_step, train_step_kwargs):
        stage.say(type(session).__name__, session.run(global_step), sorted(train_step_kwargs))
        error = left.pop() if left else tf.errors.OutOfRangeError(None, None, "the end")
        if error:
            raise error
        return session.run(train_op), False

    def wrapper(session):
        stage.say("wrapped", type(session).__name__)
        return session

    stage.say(run(train, stage.folder, step, summary_writer=None, session_wrapper=wrapper, **quiet))
    tf.get_default_graph()._unsafe_unfinalize()
    left.append(ValueError("mine"))
    more = {"train_step_kwargs": {"mine": 1}, "init_fn": len, "global_step": tf.Variable(0)}
    stage.attempt(run, train, None, step, **more)


def slim_evaluates(tf, stage):
    evaluation = tf.contrib.slim.evaluation
    paths = _saved(tf, stage, 3, 5)
    v, update, total = _evaluated(tf)
    log = stage.folder + "/log"
    once = evaluation.evaluate_once
    stage.say(once("", paths[0], log, num_evals=2, eval_op=update, final_op=total))
    stage.events(log)
    tf.get_default_graph()._unsafe_unfinalize()
    more = tf.Variable(9.0, name="more")
    some = {
        "variables_to_restore": [v],
        "summary_op": None,
        "initial_op": tf.global_variables_initializer(),
    }
    stage.attempt(once, "", paths[1], None, final_op=[v, more])
    tf.get_default_graph()._unsafe_unfinalize()
    stage.attempt(once, "", paths[1], None, final_op=v, **some)
    tf.get_default_graph()._unsafe_unfinalize()
    loop = evaluation.evaluation_loop
    stage.attempt(
        loop,
        "",
        os.path.dirname(paths[0]),
        log,
        2,
        eval_op=update,
        final_op=total,
        timeout=0,
        eval_interval_secs=0,
        max_number_of_evaluations=3,
        variables_to_restore=[v],
        hooks=[tf.train.SessionRunHook()],
    )


def slim_summaries(tf, stage):
    summaries = tf.contrib.slim.summaries
    x, image = tf.constant([0.0, 1.0], name="x"), tf.zeros([1, 2, 2, 1], name="image")
    one = tf.constant(1.0, name="one")
    stage.say(
        summaries.add_histogram_summary(x).name, summaries.add_histogram_summary(x, "a", "p").name
    )
    stage.say(
        summaries.add_image_summary(image).name, summaries.add_image_summary(image, prefix="p").name
    )
    stage.say(summaries.add_scalar_summary(one).name)
    stage.say(summaries.add_scalar_summary(one, "b", "p", print_summary=True).name)
    stage.say(summaries.add_zero_fraction_summary(x, prefix="p").name)
    for many in ("histogram", "scalar", "zero_fraction"):
        made = getattr(summaries, f"add_{many}_summaries")([one, one], "many")
        stage.say([each.name for each in made])
    stage.say([each.name for each in summaries.add_image_summaries([image])])
    stage.say([each.name for each in tf.get_collection(tf.GraphKeys.SUMMARIES)])
    stage.nodes()
