"""Learning rates, moving averages, loss scales and optimizers: options, boundaries, rejected arguments."""

import numpy as np


def _rates(tf, stage, cases, steps=(0, 1, 2, 3, 4, 7, 100)):
    step = tf.placeholder(tf.int64, [], name="at")
    with tf.Session() as session:
        for name, make in cases.items():
            stage.say(name)
            with stage.failing():
                rate = make(step)
                stage.say(rate.dtype, rate.shape)
                for number in steps:
                    stage.say(number, session.run(rate, {step: number}))
    stage.brief_graph()


def decays(tf, stage):
    t = tf.train
    cases = {
        "inverse of none": lambda s: t.inverse_time_decay(0.5, None, 3, 0.9),
    }
    _rates(tf, stage, cases)


def loss_scales(tf, stage):
    scales = tf.train.experimental
    fixed = scales.FixedLossScale(8.0)
    stage.say(fixed(), fixed.get_config(), fixed.update([]))
    stage.attempt(scales.FixedLossScale, "a")
    stage.attempt(scales.FixedLossScale, tf.constant(1.0))
    stage.attempt(scales.FixedLossScale, 0.5)
    stage.attempt(scales.FixedLossScale.from_config, {"loss_scale_value": 2.0})
    scale = scales.DynamicLossScale(4.0, increment_period=2, multiplier=2.0)
    stage.say(
        scale.get_config(), scale.initial_loss_scale, scale.increment_period, scale.multiplier
    )
    gradient = tf.placeholder(tf.float32, [2], name="gradient")
    update, apply = scale.update([gradient, None, tf.constant(1.0)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for value in (1.0, 1.0, np.inf, np.nan, 1.0, np.inf, np.inf, 1.0, 1.0):
            fine = session.run(apply, {gradient: [value, 1.0]})
            session.run(update, {gradient: [value, 1.0]})
            stage.say(value, fine, session.run(scale()))
    stage.say(scales.DynamicLossScale().get_config())
    for wrong in ({"initial_loss_scale": "a"}, {"multiplier": "b"}):
        stage.attempt(lambda: scales.DynamicLossScale(**wrong).get_config())  # noqa: B023
    v = tf.get_variable("v", initializer=1.0)
    plain = tf.train.GradientDescentOptimizer(0.5)
    enable = tf.train.experimental.enable_mixed_precision_graph_rewrite
    stage.attempt(enable, 3)
    stage.attempt(enable, plain, loss_scale="none")
    with stage.failing():
        optimizer = enable(plain, loss_scale=16.0)
        stage.attempt(enable, optimizer)
        op = optimizer.minimize(v * v)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(op)
            stage.say(session.run(v), [x.name for x in optimizer.variables()])
    tf.train.experimental.disable_mixed_precision_graph_rewrite()
    tf.train.experimental.disable_mixed_precision_graph_rewrite()


def replicas(tf, stage):
    plain, make = tf.train.GradientDescentOptimizer(0.5), tf.train.SyncReplicasOptimizer
    v = tf.get_variable("v", initializer=1.0)
    step = tf.train.get_or_create_global_step()
    sync = make(plain, 1)
    for method in (sync.get_chief_queue_runner, sync.get_init_tokens_op):
        stage.attempt(method)
    stage.attempt(sync.make_session_run_hook(True).begin)
    pairs = sync.compute_gradients(v * v)
    stage.attempt(sync.apply_gradients, pairs)
    stage.attempt(sync.apply_gradients, [], step)
    stage.say(type(sync.apply_gradients(pairs, step)).__name__)
    stage.attempt(lambda: sync.get_init_tokens_op(-2))
    stage.say(sync.get_chief_queue_runner().name, sync.get_slot_names())
    stage.say([x.name for x in sync.variables()], sync.get_slot(v, "momentum"))
    stage.say(sync.local_step_init_op.name, sync.chief_init_op.name, sync.ready_for_local_init_op)
    few = make(plain, 3, total_num_replicas=2)
    few.apply_gradients(few.compute_gradients(v * v), step)
    stage.attempt(lambda: few.get_init_tokens_op(0).name)
    averaged = make(
        plain, 1, 2, tf.train.ExponentialMovingAverage(0.5), [v], use_locking=True, name="mine"
    )
    averaged.apply_gradients(averaged.compute_gradients(v * v), step, name="applied")
    stage.brief_graph()
