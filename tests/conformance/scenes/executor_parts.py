"""Steps that run in parts, where one part assigns what a later one reads."""


def assignments(tf, stage):
    def assigned(a, b, v):
        x = tf.assign(v, a)
        return [x], [x * b]

    def passed_on(a, b, v):
        x = tf.reshape(tf.assign(v, a), [1])
        return [x], [x * b]

    def copied(a, b, v):
        x = tf.identity(tf.assign(v, a))
        return [x], [x * b]

    def unfetched(a, b, v):
        return [a + 0.0], [tf.assign(v, a) * b]

    def two_readers(a, b, v):
        x = tf.assign(v, a)
        later = x * b
        return [x + 1.0, x], [later]

    def written_again(a, b, v):
        x = tf.assign(v, a)
        return [x], [tf.assign_add(v, b)]

    def read_by_control(a, b, v):
        x = tf.assign_add(v, a)
        with tf.control_dependencies([x]):
            return [x], [v.read_value() * b]

    def branched(a, b, v):
        x = tf.assign(v, a)
        return [x], [tf.cond(a > 1.0, lambda: x + 1.0, lambda: x - 1.0) * b]

    def only_read(a, b, v):
        return [a + 1.0, v + 0.0], [v * b]

    cases = (
        *(assigned, passed_on, copied, unfetched, two_readers, written_again),
        *(read_by_control, branched, only_read),
    )
    for case in cases:
        for resource in (False, True):
            with tf.Graph().as_default(), tf.Session() as session:
                stage.say(case.__name__, resource)
                a, b = (tf.placeholder(tf.float32, [], name=name) for name in "ab")
                v = tf.Variable(1.0, use_resource=resource)
                first, second = case(a, b, v)
                session.run(v.initializer)
                with stage.failing():
                    handle = session.partial_run_setup([*first, *second], [a, b])
                    stage.say(session.partial_run(handle, first, {a: 5.0}))
                    stage.say(session.partial_run(handle, second, {b: 7.0}), session.run(v))
