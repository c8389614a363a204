"""Moving averages of resource variables, in scopes and conditions; tensors of unknown shape; the global step."""


def build(tf):
    train = tf.train
    facts, steps = {}, []
    facts["no step"] = [train.get_global_step() is None]
    counter = train.create_global_step()
    facts["step"] = [counter.name, str(counter.dtype), train.get_global_step() is counter]
    facts["made once"] = train.get_or_create_global_step() is counter
    with tf.variable_scope("model", use_resource=True):
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
        d = tf.get_variable("d", [], tf.float64, tf.ones_initializer(), trainable=False)
    v = tf.get_variable("v", [2], initializer=tf.constant_initializer([1.0, -1.0]))
    x = tf.placeholder(tf.float32, [None], name="x")
    ema = train.ExponentialMovingAverage(tf.constant(0.9), counter)
    with tf.name_scope("averaging"):
        maintain = ema.apply([w, d, v])
    early = train.ExponentialMovingAverage(0.5, zero_debias=True, name="Early")
    with tf.variable_scope("outer"):
        s = tf.reduce_sum(x, name="s")
        debiased = early.apply([s, w])
        again = early.apply([s])
    going = tf.placeholder_with_default(True, [], name="going")
    cond = tf.cond(going, lambda: tf.group(ema.apply([v])), lambda: tf.no_op(), name="maybe")
    half = tf.constant([1.0, 2.0], tf.float16, name="half")
    halves = train.ExponentialMovingAverage(0.75, name="Halves")
    halved = halves.apply([half])
    change = tf.group(
        w.assign_add([1.0, 2.0]), d.assign_sub(0.25), v.assign(v * 2.0), counter.assign_add(1)
    )
    averages = [
        ema.average(w),
        ema.average(d),
        ema.average(v),
        early.average(s),
        early.average(w),
        halves.average(half),
    ]
    facts["names"] = [a.name for a in averages]
    facts["types"] = [str(a.dtype) for a in averages]
    facts["trainable"] = [a in tf.trainable_variables() for a in averages]
    facts["averaged names"] = [
        ema.average_name(w),
        ema.average_name(s),
        early.average_name(s),
        early.average_name(x),
    ]
    facts["restore"] = sorted((k, t.name) for k, t in ema.variables_to_restore().items())
    facts["moving"] = [t.name for t in tf.moving_average_variables()]
    facts["all"] = [t.name for t in tf.global_variables()]
    steps += [("init", tf.global_variables_initializer()), ("first", averages)]
    for n in range(3):
        steps += [
            (f"change {n}", change),
            ("maintain", maintain),
            ("debiased", debiased, {x: [n, 1.0]}),
            ("again", again, {x: [n, 3.0]}),
        ]
        steps += [("cond", cond, {going: n != 1}), ("halved", halved), ("averages", averages)]
    steps += [("step", counter), ("number", lambda sess: train.global_step(sess, counter))]
    return {"facts": facts, "steps": steps}
