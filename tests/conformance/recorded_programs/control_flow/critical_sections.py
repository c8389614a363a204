"""Critical sections: mutually exclusive functions, within a step and across steps, in conditions and loops."""


def build(tf):
    section = tf.CriticalSection(shared_name="section")
    counter = tf.get_variable("counter", initializer=0.0, use_resource=True)
    plain = tf.get_variable("plain", initializer=[1.0, 2.0])
    outside = tf.multiply(plain, 3.0, name="outside")

    def raised(by):
        def raise_it():
            before = counter.read_value()
            with tf.control_dependencies([before]):
                after = counter.assign_add(by)
                with tf.control_dependencies([after]):
                    return tf.identity(before)

        return raise_it

    numbers = [section.execute(raised(2.0)) for _ in range(5)]
    total = tf.add_n(numbers, name="total")
    nest = section.execute(
        lambda: {"a": outside + 1.0, "b": (tf.no_op(), counter.read_value() * 0.0)}, name="nest"
    )
    taken = tf.cond(
        tf.constant(True), lambda: section.execute(raised(1.0)), lambda: tf.constant(-1.0)
    )
    looped = tf.while_loop(
        lambda i: i < 3,
        lambda i: i + section.execute(lambda: tf.identity(i) * 0 + 1),
        [tf.constant(0)],
    )
    fails = section.execute(lambda: tf.Assert(tf.constant(False), ["stop"]))
    second = tf.CriticalSection(name="second")
    shared = second.execute(lambda: tf.identity(plain) + 1.0, exclusive_resource_access=False)

    def failed(session):
        try:
            session.run(fails)
        except tf.errors.InvalidArgumentError:
            return session.run(counter)  # and releases the section

    steps = [
        ("init", tf.global_variables_initializer(), None),
        ("total", total, None),
        ("again", total, None),
        ("nest", [nest["a"], nest["b"][1]], None),
        ("taken", taken, None),
        ("looped", looped, None),
        ("failed", failed),
        ("after", [numbers[0]], None),
        ("shared", shared, None),
    ]
    facts = {
        "names": [section.name, second.name],
        "sections": len(tf.get_collection("critical_sections")),
        "executions": [
            [made.op.name, made.handle.name, made.exclusive_resource_access, len(made.resources)]
            for made in tf.get_collection("critical_section_executions")
        ],
    }
    return {"steps": steps, "facts": facts}
