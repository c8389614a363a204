"""Sessions of one graph: private variables, random streams begun again, default sessions."""


def build(tf):
    v = tf.Variable(1.0, name="v")
    r = tf.random_uniform([2], seed=3, name="r")
    bump = v.assign_add(1.0)
    init = tf.global_variables_initializer()
    with tf.Graph().as_default() as other:
        c = tf.constant(5.0, name="c")
        w = tf.Variable([1.0], name="w")

    def two_sessions(sess):
        with tf.Session(graph=v.graph) as second:
            second.run(init)
            first = [sess.run(bump), sess.run(bump)]
            return [first, second.run(v), second.run(r), sess.run(r), sess.run(r), second.run(r)]

    def other_graph(sess):
        with tf.Session(graph=other) as second:
            w.initializer.run()
            same = tf.get_default_graph() is other
            return [c.eval(), w.eval(), same, second.graph is other, sess.graph is other]

    def interactive(sess):
        second = tf.InteractiveSession()
        try:
            init.run()
            return [bump.eval(), v.eval(), tf.get_default_session() is second]
        finally:
            second.close()

    def without_with(sess):
        second = tf.Session()
        second.run(init)
        value = second.run(v)
        second.close()
        return value

    def metadata(sess):
        options = tf.RunOptions(trace_level=tf.RunOptions.NO_TRACE)
        message = tf.RunMetadata()
        value = sess.run(v, options=options, run_metadata=message)
        return [value, type(message).__name__]

    def stacks(sess):
        found = [tf.get_default_session() is sess]
        with sess.as_default():
            found.append(tf.get_default_session() is sess)
            with other.as_default():
                found.append(tf.get_default_graph() is other)
            found.append(tf.get_default_graph() is v.graph)
        return found

    def grown(sess):
        before = sess.run(v)
        later = v * 10.0 + tf.constant(0.5)
        return [before, sess.run(later), sess.run(later + later)]

    steps = [
        ("init", init),
        ("two sessions", two_sessions),
        ("other graph", other_graph),
        ("interactive", interactive),
        ("without with", without_with),
        ("metadata", metadata),
        ("stacks", stacks),
        ("grown", grown),
        ("v", v),
    ]
    return {"steps": steps}
