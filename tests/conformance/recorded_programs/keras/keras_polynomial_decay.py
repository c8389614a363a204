"""Rates that `PolynomialDecay` of Keras gives, alone and in an optimizer."""


def build(tf):
    decay = tf.keras.optimizers.schedules.PolynomialDecay
    step = tf.placeholder(tf.int64, [], name="step")
    rates = [
        decay(0.5, 10)(step),
        decay(0.5, 10, 0.1, power=2.0, name="squared")(step),
        decay(0.5, 10, 0.1, cycle=True, name="cycled")(step),
    ]
    v = tf.Variable([1.0, 2.0], use_resource=True, name="v")
    optimizer = tf.keras.optimizers.SGD(decay(0.5, 4, 0.1))
    train = optimizer.apply_gradients([(tf.constant([1.0, 2.0]), v)])

    def trained(session):
        session.run([v.initializer] + [w.initializer for w in optimizer.weights])
        session.run([w.initializer for w in tf.global_variables()])
        found = []
        for _ in range(5):
            session.run(train)
            found.append(session.run(v))
        return found

    def of_steps(session):
        return [session.run(rates, {step: n}) for n in (0, 3, 10, 25)]

    return {"facts": {}, "steps": [("rates", of_steps), ("trained", trained)]}
