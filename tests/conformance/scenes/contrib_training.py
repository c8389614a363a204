"""tf.contrib: training and evaluation of slim, contrib.training and contrib.learn; wrapping optimizers."""

import numpy as np


def no_summaries_at_the_end(tf, stage):
    of = tf.contrib.training
    given = tf.placeholder(tf.float32, [], "given")
    hook = of.SummaryAtEndHook(stage.folder)
    with tf.train.SingularMonitoredSession([hook]) as session:
        stage.say(session.run(given, {given: 1.0}))
    stage.events()
    hook = of.SummaryAtEndHook(stage.folder + "/unfed", summary_op=tf.summary.scalar("s", given))
    with stage.failing(), tf.train.SingularMonitoredSession([hook]) as session:
        stage.say(session.run(given, {given: 1.0}))
    stage.events(stage.folder + "/unfed")


def training_ops(tf, stage):
    of = tf.contrib.training
    w = tf.get_variable("w", [], initializer=tf.constant_initializer(1.0))
    fixed = tf.get_variable("fixed", [], initializer=tf.ones_initializer(), trainable=False)
    count = tf.get_variable("count", [], tf.int32, tf.zeros_initializer(), trainable=False)
    other = tf.assign_add(count, 10)
    tf.add_to_collection("update_ops", tf.assign_add(count, 1))
    tf.add_to_collection("update_ops", tf.get_collection("update_ops")[0])
    optimizer = tf.train.GradientDescentOptimizer(0.1)

    def made(loss=None, **options):
        return of.create_train_op(w * w * fixed if loss is None else loss, optimizer, **options)

    ops = [
        made(),
        made(update_ops=[]),
        made(update_ops=[other]),
        made(update_ops=[other, *tf.get_collection("update_ops")], global_step=None),
        made(
            global_step=tf.get_variable(
                "mine", [], tf.int64, tf.zeros_initializer(), trainable=False
            )
        ),
        made(transform_grads_fn=of.clip_gradient_norms_fn(0.5), summarize_gradients=True),
        made(transform_grads_fn=lambda rows: of.multiply_gradients(rows, {"w": 3.0})),
    ]
    stage.attempts(
        lambda: made(variables_to_train=[]),
        lambda: made(variables_to_train=[fixed]),
        lambda: made(transform_grads_fn=lambda rows: of.multiply_gradients(rows, {})),
        lambda: made(transform_grads_fn=lambda rows: of.multiply_gradients([(None, w)], {w: 1.0})),
        lambda: made(transform_grads_fn=lambda rows: of.multiply_gradients(tuple(rows), {w: 1.0})),
    )
    unchecked = made(w / 0.0, check_numerics=False)
    checked = made(w / 0.0)
    seen = [w, count, tf.train.get_global_step(), "mine:0"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for op in ops:
            stage.say(op.name, session.run(op), session.run(seen))
        stage.attempt(session.run, checked)
        stage.attempt(session.run, unchecked)
        stage.say([op in tf.get_collection("train_op") for op in ops], session.run(seen))


def averages_of_parts(tf, stage):
    part = tf.get_variable(
        "part", [4, 1], initializer=tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(2)
    )
    w = tf.get_variable("w", initializer=[3.0])
    unused = tf.get_variable("unused", initializer=[5.0])
    optimizer = tf.contrib.opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(0.5), 0.5)
    stage.attempt(optimizer.swapping_saver)
    train = optimizer.minimize(tf.reduce_sum(part) + tf.reduce_sum(w * w), var_list=[*part, w])
    averages = [v for v in tf.global_variables() if "Moving" in v.op.name]
    stage.say([v.name for v in averages])
    stage.attempts(
        lambda: optimizer.swapping_saver([w, unused]),
        lambda: optimizer.swapping_saver([*part, w, averages[-1]]),
        lambda: optimizer.swapping_saver({"part": list(part), "w": w}),
    )
    everything = {v.op.name: v for v in [w, unused, *averages]}
    savers = [
        optimizer.swapping_saver(),
        optimizer.swapping_saver({**everything, "part": list(part)}, name="lists"),
        optimizer.swapping_saver({**everything, "part": part}, name="whole", max_to_keep=1),
        optimizer.swapping_saver([*everything.values(), *part], name="named"),
    ]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            session.run(train)
        stage.say(session.run([*part, w, unused, *averages]))
        for number, saver in enumerate(savers):
            reader = tf.train.load_checkpoint(saver.save(session, f"{stage.folder}/{number}"))
            for key in sorted(reader.get_variable_to_shape_map()):
                stage.say(number, key, reader.get_tensor(key))
        savers[1].restore(session, stage.folder + "/1")
        stage.say(session.run([*part, w, unused, *averages]))


def _losses(tf):
    w = tf.get_variable("w", initializer=[1.0, 2.0])
    tf.losses.absolute_difference([0.0, 0.0], w)
    loss = tf.losses.get_total_loss()
    tf.summary.scalar("loss", loss)
    return loss, tf.train.GradientDescentOptimizer(0.5)


class _Limited:
    """A session that raises OutOfRangeError after some runs."""

    def __init__(self, tf, stage, session, limit):
        self.tf, self.stage, self.session, self.left = tf, stage, session, limit

    def run(self, fetches, *args, **kwargs):
        self.left -= 1
        self.stage.say("run", fetches, self.left)
        if self.left < 0:
            raise self.tf.errors.OutOfRangeError(None, None, "enough")
        return self.session.run(fetches, *args, **kwargs)

    def __getattr__(self, name):
        return getattr(self.session, name)


def workers_in_slim(tf, stage):
    slim = tf.contrib.slim
    for options in (
        {"number_of_steps": 4, "startup_delay_steps": 9},
        {"number_of_steps": 6, "startup_delay_steps": 2},
        {"number_of_steps": 5, "startup_delay_steps": 0, "ready_op": "none"},
    ):
        with tf.Graph().as_default():
            with tf.device("/cpu:0"):
                step = tf.train.create_global_step()
                made = _losses(tf)
            train = slim.learning.create_train_op(*made)
            with tf.control_dependencies([tf.global_variables_initializer()]):
                started = tf.group(tf.assign(step, 4))
            given = {"is_chief": False, "ready_op": None, "local_init_op": started}
            given["session_wrapper"] = lambda session: _Limited(tf, stage, session, 8)
            given.update(options, log_every_n_steps=0, summary_op=None)
            stage.attempt(slim.learning.train, train, stage.folder, **given)
            stage.files()


def monitors(tf, stage):
    of = tf.contrib.learn.monitors
    count = tf.train.get_or_create_global_step()
    tf.train.StopAtStepHook(1).begin()
    with tf.control_dependencies(tf.get_collection("global_step_read_op_cache")):
        train = tf.group(tf.assign_add(count, 1))
    loss = tf.constant([4.0, 0.5], name="loss")

    class Told(of.EveryN):
        def every_n_step_begin(self, step):
            stage.say("begin", step)
            return ["loss"]

        def every_n_step_end(self, step, outputs):
            stage.say("end", step, sorted(map(str, outputs)), outputs["loss"])
            return False

        def every_n_post_step(self, step, session):
            stage.say("after", step, session and session.run(count))

    printed = {"the loss": "loss:0", "none": "read:0", "read": "read"}
    tf.identity(3, name="read")
    for chosen, steps in (
        (lambda: [Told(2, 1), of.StopAtStep(num_steps=4)], 9),
        (lambda: [Told(3, 0), of.PrintTensor(printed, 2), of.PrintTensor(["loss"], 3, 2)], 4),
        (lambda: [of.StopAtStep(last_step=10), of.NanLoss(loss[0])], 9),
        (lambda: [Told(every_n_steps=3), of.NanLoss(loss[1], 1, False)], 2),
        (lambda: [Told(0), of.StopAtStep(last_step=1)], 3),
    ):
        hook = of.RunHookAdapterForMonitors(chosen())
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=stage.folder,
            hooks=[hook],
            save_summaries_steps=None,
            log_step_count_steps=None,
        ) as session:
            for _ in range(steps):
                if session.should_stop():
                    break
                session.run(train)
    bad = tf.constant(np.nan, name="bad")
    for monitor in (
        of.NanLoss(bad),
        of.NanLoss(bad, fail_on_nan_loss=False),
        of.NanLoss("none"),
        of.PrintTensor([]),
        Told(),
    ):
        hook = of.RunHookAdapterForMonitors([monitor])
        with stage.failing(), tf.train.SingularMonitoredSession([hook]) as session:
            stage.say(session.run(bad), session.should_stop())
    told = Told()
    stage.attempts(
        lambda: of.StopAtStep(),
        lambda: of.StopAtStep(1, 2),
        lambda: told.set_estimator(None),
        lambda: told.end(),
        lambda: told.begin(3),
        lambda: told.begin(),
        lambda: told.step_begin(4),
        lambda: told.step_begin(3),
        lambda: told.step_end(2, {}),
        lambda: told.step_end(3, {}),
        lambda: told.epoch_begin(-1),
        lambda: told.epoch_begin(1),
        lambda: told.epoch_begin(2),
        lambda: told.epoch_end(2),
        lambda: told.epoch_end(1),
        lambda: told.end(),
    )
