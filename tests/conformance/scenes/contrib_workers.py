"""tf.contrib.opt: asynchronous worker optimizers, gradient windows, external minimizers."""

# ruff: noqa: B023, E731

import numpy as np


def _model(tf, getter, partitioner=None):
    with tf.variable_scope("model", custom_getter=getter, partitioner=partitioner):
        w = tf.get_variable(
            "w",
            initializer=tf.constant([[1.0], [2.0]]) if partitioner is None else None,
            shape=None if partitioner is None else [2, 1],
        )
        tf.get_variable("fixed", initializer=3.0, trainable=False, collections=["global_variables"])
        tf.get_variable("own", initializer=3.0, trainable=False, collections=["local_variables"])
    return tf.reduce_sum(tf.convert_to_tensor(w) ** 2)


def _steps(tf, stage, getter, make, steps=3, hook=()):
    step = tf.train.get_or_create_global_step()
    loss = _model(tf, getter)
    optimizer = make()
    train = optimizer.minimize(loss, global_step=step)
    made = optimizer.make_session_run_hook(*hook)
    made.begin()
    stage.say([(v.name, v.device, v.trainable) for v in tf.global_variables()])
    stage.say([(v.name, v.device, v.trainable) for v in tf.local_variables()])
    stage.brief_graph(names=False)
    stage.say(optimizer.get_name(), optimizer.get_slot_names())
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        made.after_create_session(session, None)
        for _ in range(steps):
            session.run(train)
            stage.say(
                session.run(
                    [*tf.trainable_variables(), *tf.global_variables(), *tf.local_variables()]
                )
            )
    return optimizer


def elastic(tf, stage):
    of = tf.contrib.opt
    descent = lambda: tf.train.GradientDescentOptimizer(0.25)
    for options in (
        {"communication_period": 2},
        {
            "communication_period": 1,
            "moving_rate": 0.5,
            "rho": 0.1,
            "use_locking": False,
            "name": "mine",
        },
    ):
        with tf.Graph().as_default(), stage.failing():
            stage.say(sorted(options))
            getter = of.ElasticAverageCustomGetter("/cpu:0")
            optimizer = _steps(
                tf, stage, getter, lambda: of.ElasticAverageOptimizer(descent(), 2, getter, **options), 3, (True, 0)
            )  # fmt: skip
            saver = optimizer.swapping_saver()
            stage.say(type(saver).__name__, sorted(map(str, saver._var_list)))
    with tf.Graph().as_default(), stage.failing():
        getter = of.ElasticAverageCustomGetter("/cpu:0")
        optimizer = of.ElasticAverageOptimizer(descent(), 3, getter, synchronous=True)
        stage.attempt(optimizer.get_init_op, 0)
        _model(tf, getter)
        stage.say(optimizer.get_init_op(1).type)
        stage.brief_graph(names=False)
        stage.attempt(optimizer.swapping_saver, [tf.Variable(1.0, name="other")])
        stage.say(optimizer.BETA)


def normed(tf, stage):
    of = tf.contrib.opt
    for options in (
        {"communication_period": 2},
        {"communication_period": 1, "use_locking": False, "name": "mine"},
    ):
        with tf.Graph().as_default(), stage.failing():
            getter = of.AGNCustomGetter("/cpu:0")
            momentum = tf.train.MomentumOptimizer(0.25, 0.5)
            _steps(
                tf,
                stage,
                getter,
                lambda: of.AGNOptimizer(momentum, 1, getter, **options),
                3,
                (True, 0),
            )
    with tf.Graph().as_default():
        optimizer = of.AGNOptimizer(tf.train.AdamOptimizer(), 1, of.AGNCustomGetter(""))
        stage.attempt(optimizer.get_init_op, 0)
        stage.attempt(optimizer.apply_gradients, [])


def averaged(tf, stage):
    of = tf.contrib.opt
    for chief, options in (
        (True, {"interval_steps": 2}),
        (False, {"use_locking": False, "name": "mine"}),
    ):
        with tf.Graph().as_default(), stage.failing():
            getter = of.ModelAverageCustomGetter("/cpu:0")
            descent = tf.train.GradientDescentOptimizer(0.25)
            _steps(
                tf,
                stage,
                getter,
                lambda: of.ModelAverageOptimizer(descent, 1, chief, getter, **options),
                3,
            )
    with tf.Graph().as_default():
        getter = of.ModelAverageCustomGetter("/cpu:0")
        optimizer = of.ModelAverageOptimizer(tf.train.AdamOptimizer(), 1, True, getter)
        stage.attempts(
            lambda: optimizer.get_init_op(),
            lambda: optimizer.apply_gradients([]),
            lambda: optimizer.minimize(_model(tf, getter)),
        )


def found_outside(tf, stage):
    of = tf.contrib.opt
    x = tf.get_variable("x", initializer=[1.0, 2.0])
    y = tf.get_variable("y", initializer=3.0)
    unused = tf.get_variable("z", initializer=[[4.0]])
    scale = tf.placeholder_with_default(1.0, [], "scale")
    loss = tf.reduce_sum(x * x) * scale + y * y

    class Told(of.ExternalOptimizerInterface):
        def _minimize(self, initial_val, loss_grad_func, **given):
            stage.say(initial_val, loss_grad_func(initial_val), loss_grad_func(initial_val * 0.5))
            for kind in ("equality", "inequality"):
                for function, slope in zip(given[kind + "_funcs"], given[kind + "_grad_funcs"]):
                    stage.say(kind, function(initial_val), slope(initial_val))
            stage.say(given["packed_bounds"], sorted(given["optimizer_kwargs"].items()))
            given["step_callback"](initial_val)
            return initial_val * 0.25

    session = tf.Session()
    told = Told(
        loss,
        equalities=[y - 1.0],
        inequalities=[x[0], tf.reduce_sum(x)],
        var_to_bounds={x: ([0.0, -1.0], 5.0, "unread"), y: (-np.inf, 2.0)},
        own=7,
    )
    some = Told(loss, var_list=[y, unused])
    session.run(tf.global_variables_initializer())
    everything = [x, y, unused]
    with session.as_default():
        stage.attempts(
            lambda: told.minimize(
                session,
                {scale: 2.0},
                [loss, y],
                lambda x: stage.say("step", x),
                lambda *v: stage.say("loss", v),
            ),
            lambda: session.run(everything),
            lambda: some.minimize(),
            lambda: session.run(everything),
            lambda: some.minimize(
                fetches=[y], loss_callback=lambda y: stage.say("loss", y), options=None
            ),
            lambda: session.run(everything),
            lambda: of.ExternalOptimizerInterface(loss).minimize(session),
            lambda: Told(loss, var_list=[]).minimize(session),
            lambda: Told(tf.constant(1.0), var_list=[y]).minimize(session),
        )
    stage.say(told.optimizer_kwargs, some.optimizer_kwargs)
