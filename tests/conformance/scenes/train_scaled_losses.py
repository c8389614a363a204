"""Loss scaling: scale states, steps with nonfinite gradients, sparse ones; source files."""

import numpy as np

from tests.conformance.scenes import eager_mode

_GRADIENTS = (1.0, 1.0, np.inf, 1.0, np.nan, -np.inf, 1.0, 1.0, 1.0)


def scales_eagerly(tf, stage):
    of = tf.train.experimental
    with eager_mode(tf):
        scale = of.DynamicLossScale(2, 2, 4)
        stage.say(scale)
        for gradient in _GRADIENTS:
            update, fine = scale.update([tf.constant(gradient), None])
            stage.say(update is None, fine, scale, scale())
        saved = tf.train.Checkpoint(scale=scale).save(stage.folder + "/s")
        stage.say(tf.train.list_variables(saved))


def optimizers_with_scales(tf, stage):
    of = tf.train.experimental
    for given in (8, "dynamic", of.FixedLossScale(2.0), None, "static"):
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            if given == "dynamic":
                given = of.DynamicLossScale(4, 2)
            opt = of.MixedPrecisionLossScaleOptimizer(tf.train.MomentumOptimizer(0.5, 0.5), given)
            stage.say(opt.get_name(), opt.get_slot_names())
            v = tf.Variable([1.0, 2.0, 3.0], name="v")
            x = tf.placeholder(tf.float32, [], name="x")
            unused = tf.Variable(1.0, name="unused")
            step = tf.train.get_or_create_global_step()
            loss = tf.reduce_sum(tf.gather(v, [0, 2]) * x) + tf.reduce_sum(v)
            pairs = opt.compute_gradients(loss, [v, unused])
            stage.say([(type(g).__name__, w.op.name) for g, w in pairs])
            sparse = opt.compute_gradients(tf.gather(v, [0, 2]) * x, [v])
            train = opt.apply_gradients(pairs, step, name="stepped")
            stage.say(train.name, train.type, opt.get_slot_names(), opt.get_slot(v, "momentum"))
            stage.say(
                [w.op.name for w in opt.variables()], [w.op.name for w in tf.global_variables()]
            )
            session.run(tf.global_variables_initializer())
            stage.say(session.run([pairs[0][0], sparse[0][0]], {x: 3.0}))
            for number in (1.0, np.inf, 2.0, np.nan, 3.0):
                session.run(train, {x: number})
                stage.say(number, session.run([v, step]))
            stage.brief_graph(names=False)
    adam = tf.train.AdamOptimizer()
    stage.attempts(
        lambda: of.MixedPrecisionLossScaleOptimizer(adam, 0),
        lambda: of.MixedPrecisionLossScaleOptimizer("adam", 2),
    )


def stopped(tf, stage):
    """Coordinators and queue runners: the state after each call."""
    made = tf.train.Coordinator()
    errors = tf.errors

    def state():
        return made.should_stop(), made.joined

    def handled(error, ex=None):
        try:
            raise error
        except type(error):
            made.request_stop(ex or error)
        return state()

    stage.attempts(
        state,
        lambda: made.wait_for_stop(0.0),
        lambda: made.request_stop(),
        lambda: made.wait_for_stop(),
        lambda: made.join(),
        state,
        lambda: made.request_stop(errors.OutOfRangeError(None, None, "end")),
        lambda: handled(ValueError("late")),
        made.clear_stop,
        state,
        lambda: handled(errors.OutOfRangeError(None, None, "end")),
        lambda: made.raise_requested_exception(),
        lambda: made.join(),
        made.clear_stop,
        lambda: handled(KeyError("first")),
        lambda: handled(ValueError("second")),
        lambda: made.raise_requested_exception(),
        lambda: made.join(),
        state,
        lambda: made.join([]),
        made.clear_stop,
        lambda: made.raise_requested_exception(),
    )
    made = tf.train.Coordinator((KeyError, errors.NotFoundError))
    stage.attempts(
        lambda: handled(KeyError("clean")),
        lambda: made.join(),
        made.clear_stop,
        lambda: handled(errors.NotFoundError(None, None, "clean too")),
        lambda: made.join(),
        made.clear_stop,
        lambda: handled(errors.OutOfRangeError(None, None, "an error here")),
        lambda: made.join(),
        lambda: tf.train.LooperThread(3, None),
        lambda: tf.train.LooperThread(made, None, args=(1,)),
        lambda: tf.train.LooperThread(made, None, kwargs={"a": 1}),
        lambda: tf.train.LooperThread(made, None, len, (1,)).daemon,
    )
    made.clear_stop()
    with made.stop_on_exception():
        stage.say("inside")
    stage.say(state())
    with made.stop_on_exception():
        raise SystemError("in a block")
    stage.say(state())
    stage.attempt(made.raise_requested_exception)
