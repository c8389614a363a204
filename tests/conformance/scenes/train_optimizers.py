"""Optimizers, savers, coordinators: repeated minimize, None gradients, apply after an error, slots of two graphs."""

_OPTIMIZERS = {
    "sgd": lambda t: t.GradientDescentOptimizer(0.5),
    "momentum": lambda t: t.MomentumOptimizer(0.5, 0.9),
    "nesterov": lambda t: t.MomentumOptimizer(0.5, 0.9, use_nesterov=True),
    "adam": lambda t: t.AdamOptimizer(0.5),
    "adagrad": lambda t: t.AdagradOptimizer(0.5),
    "adagrad_da": lambda t: t.AdagradDAOptimizer(0.5, t.get_or_create_global_step()),
    "adadelta": lambda t: t.AdadeltaOptimizer(0.5),
    "rmsprop": lambda t: t.RMSPropOptimizer(0.5),
    "rmsprop_centered": lambda t: t.RMSPropOptimizer(0.5, momentum=0.5, centered=True),
    "ftrl": lambda t: t.FtrlOptimizer(0.5, l1_regularization_strength=0.1),
    "proximal": lambda t: t.ProximalGradientDescentOptimizer(0.5, 0.1, 0.1),
    "proximal_adagrad": lambda t: t.ProximalAdagradOptimizer(0.5, 0.1, 0.1),
}


def _twice(make, resource):
    """A scene: two minimize calls of one optimizer, rows, a variable without gradient, and a second optimizer."""

    def scene(tf, stage):
        with tf.variable_scope("", use_resource=resource):
            v = tf.get_variable("v", initializer=[1.0, 2.0])
            w = tf.get_variable("w", initializer=[[1.0], [2.0], [3.0]])
            tf.get_variable("apart", initializer=3.0)
        step = tf.train.get_or_create_global_step()
        optimizer = make(tf.train)
        stage.say(optimizer.get_name(), optimizer.get_slot_names(), optimizer.get_slot(v, "none"))
        first = optimizer.minimize(tf.reduce_sum(v * v), step)
        second = optimizer.minimize(
            tf.reduce_sum(v) + tf.reduce_sum(tf.gather(w, [0, 2, 0])), step, name="second"
        )
        other = make(tf.train).minimize(tf.reduce_sum(w), var_list=[w])
        stage.say(optimizer.get_slot_names(), [x.name for x in optimizer.variables()])
        stage.attempt(optimizer.minimize, tf.constant(1.0))
        stage.attempt(optimizer.minimize, tf.reduce_sum(v), var_list=[])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for op in (first, second, other, first, second):
                session.run(op)
                stage.say(session.run([v, w, step]))
            stage.say(session.run(optimizer.variables()))

    return scene


for _name, _make in _OPTIMIZERS.items():
    for _resource in (False, True):
        _made = _twice(_make, _resource)
        _made.__module__ = __name__
        globals()[f"twice_{_name}_{'resource' if _resource else 'ref'}"] = _made


def gradients_that_are_none(tf, stage):
    v, w = tf.get_variable("v", initializer=1.0), tf.get_variable("w", initializer=2.0)
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
    pairs = optimizer.compute_gradients(v * 2.0)
    stage.say([(g if g is None else g.name, x.name) for g, x in pairs])
    stage.attempt(optimizer.apply_gradients, [(None, w)])
    stage.attempt(optimizer.apply_gradients, [])
    stage.attempt(optimizer.apply_gradients, [(1.0, 2.0)])
    stage.attempt(optimizer.apply_gradients, [("a", v)])
    stage.attempt(optimizer.apply_gradients, [(tf.constant([1.0]), v)])
    stage.attempt(lambda: optimizer.apply_gradients(pairs).name)
    stage.attempt(lambda: optimizer.apply_gradients(pairs).name)
    stage.attempt(lambda: optimizer.apply_gradients(iter([(tf.constant(1.0), v)])).name)
    stage.attempt(optimizer.compute_gradients, v * 1.0, [3])
    stage.attempt(optimizer.compute_gradients, v * 1.0, gate_gradients=7)
    stage.attempt(optimizer.compute_gradients, lambda: v * 1.0)
    stage.say([x.name for x in optimizer.variables()])


def steps_that_fail_change_nothing_before(tf, stage):
    v = tf.get_variable("v", initializer=[1.0, 1.0])
    x = tf.placeholder(tf.float32, [2], name="x")
    optimizer = tf.train.MomentumOptimizer(0.5, 0.5)
    grad = tf.check_numerics(x, "grad")
    step = tf.train.get_or_create_global_step()
    train = optimizer.apply_gradients([(grad, v)], step)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for value in ([1.0, 2.0], [float("nan"), 1.0], [1.0, 2.0]):
            stage.attempt(session.run, train, {x: value})
            stage.say(session.run([v, optimizer.get_slot(v, "momentum"), step]))


def coordinators(tf, stage):
    coord = tf.train.Coordinator()
    stage.say(coord.should_stop(), coord.joined, coord.wait_for_stop(0.001))
    coord.request_stop()
    stage.say(coord.should_stop(), coord.wait_for_stop(0.001))
    stage.attempt(coord.join, [])
    stage.say(coord.joined)
    coord.clear_stop()
    stage.say(coord.should_stop(), coord.joined)
    stage.attempt(coord.request_stop, ValueError("of no block"))
    stage.attempt(coord.raise_requested_exception)
    coord.clear_stop()
    for error in (ValueError("first"), KeyError("second")):
        try:
            raise error
        except (KeyError, ValueError):
            stage.attempt(coord.request_stop, error)
    stage.attempt(coord.raise_requested_exception)
    stage.attempt(coord.join, [])
    coord.clear_stop()
    stage.attempt(coord.join, [])
    with stage.failing():
        with coord.stop_on_exception():
            raise KeyError("inside")
    stage.say(coord.should_stop())
    stage.attempt(coord.join)
    clean = tf.train.Coordinator()
    stage.attempt(clean.request_stop, tf.errors.OutOfRangeError(None, None, "end"))
    stage.attempt(clean.join)
    others = tf.train.Coordinator(clean_stop_exception_types=(KeyError,))
    stage.attempt(others.request_stop, KeyError("fine"))
    stage.attempt(others.join)
    try:
        raise ValueError("being handled")
    except ValueError:
        stage.attempt(others.request_stop, "text")


def queue_runners(tf, stage):
    queue = tf.FIFOQueue(3, tf.float32, [()], name="q")
    x = tf.get_variable("x", initializer=1.0)
    bad = tf.log(x) / (x - 1.0)
    runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.check_numerics(bad, "bad"))])
    stage.say(runner.name, runner.exceptions_raised, [op.name for op in runner.enqueue_ops])
    tf.train.add_queue_runner(runner)
    with tf.Session() as session:
        session.run(x.initializer)
        for _ in range(2):
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coord)
            try:
                coord.join(threads)
            except tf.errors.InvalidArgumentError as error:
                stage.say(error.message.split("\n")[0])
            stage.say(len(runner.exceptions_raised), len(threads))
        stage.attempt(session.run, queue.dequeue())
    stage.attempt(tf.train.QueueRunner, None, [])
    stage.attempt(tf.train.QueueRunner, queue, [])
    stage.attempt(tf.train.QueueRunner, queue, [1], queue_closed_exception_types=[1])
    stage.attempt(tf.train.start_queue_runners)
    stage.attempt(tf.train.start_queue_runners, "text")
    with tf.Graph().as_default(), tf.Session() as session:
        stage.say(tf.train.start_queue_runners(session))
