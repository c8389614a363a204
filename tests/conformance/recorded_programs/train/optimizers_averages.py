"""ExponentialMovingAverage of variables and tensors: debiasing, num_updates, names, restoring."""


def build(tf):
    w = tf.Variable([1.0, 2.0], name="w")
    b = tf.Variable(3.0, name="b")
    step = tf.Variable(0, trainable=False, name="step")
    x = tf.placeholder_with_default([0.5, 1.5], [2], name="x")
    t = tf.multiply(x, w, name="t")
    plain = tf.train.ExponentialMovingAverage(0.9)
    counted = tf.train.ExponentialMovingAverage(0.99, num_updates=step, name="Counted")
    debiased = tf.train.ExponentialMovingAverage(0.8, zero_debias=True, name="Debiased")
    train = tf.group(w.assign_add([1.0, 1.0]), b.assign_sub(0.5), step.assign_add(1))
    with tf.control_dependencies([train]):
        plain_op = plain.apply([w, b])
        counted_op = counted.apply()
    tensor_op = debiased.apply([t])
    again = plain.apply([tf.to_float(step.initialized_value())])
    averages = [plain.average(w), plain.average(b), counted.average(w), debiased.average(t)]
    by_hand = tf.Variable(10.0, name="by_hand", trainable=False)
    facts = {
        "names": [a.name for a in averages],
        "average_name": [plain.average_name(w), counted.average_name(b), debiased.average_name(t)],
        "restore": sorted(
            k + " " + v.name for k, v in plain.variables_to_restore([w, b, step]).items()
        ),
        "moving": [v.name for v in tf.moving_average_variables()],
        "none": plain.average(by_hand) is None,
        "decays": [plain.name, counted.name],
    }
    steps = [("init", tf.global_variables_initializer()), ("first", averages)]
    for k in range(4):
        steps += [(f"apply {k}", [plain_op, counted_op]), ("averages", averages)]
        steps += [("tensor", tensor_op), ("averages", averages), ("w", [w, b, step])]
    steps += [("fed", tensor_op, {x: [9.0, 9.0]}), ("averages", averages), ("again", again)]
    return {"facts": facts, "steps": steps}
