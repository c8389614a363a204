"""Conditions and loops that write summaries; groups, tuples and merges in their second forms."""


def _written(tf, stage, build, runs=1, **fed):
    """Builds under a contrib summary writer and runs; records the graph, the collection and the written summaries."""
    summary = tf.contrib.summary
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.gfile.MakeDirs(stage.folder + "/written")
        step = tf.train.create_global_step()
        writer = summary.create_file_writer(stage.folder + "/written", flush_millis=10**6)
        with writer.as_default(), summary.always_record_summaries(), stage.failing():
            made = build(summary)
            for key in sorted(graph.get_all_collection_keys()):
                if "SUMMARY" in key.upper():
                    stage.say(key, [x.name for x in graph.get_collection_ref(key)])
            session.run([step.initializer, summary.summary_writer_initializer_op()])
            for _ in range(runs):
                stage.say(session.run(made, {k + ":0": v for k, v in fed.items()}))
            session.run(summary.flush())
        stage.brief_graph()
    stage.events(stage.folder + "/written")
    tf.gfile.DeleteRecursively(stage.folder + "/written")


def _then(made, result):
    return result


def in_branches(tf, stage):
    ph = tf.placeholder_with_default

    def scalar(summary, name, value=1.0):
        return summary.scalar(name, value)

    def none(summary):
        return tf.cond(ph(True, []), lambda: _then(scalar(summary, "a"), None), lambda: None)

    def tensor(summary):
        def written():
            scalar(summary, "b", 2.0)
            return tf.constant(3.0)

        return tf.cond(ph(True, []), written, lambda: tf.constant(4.0))

    def structure(summary):
        def written():
            scalar(summary, "c")
            scalar(summary, "d")
            return {
                "x": tf.constant(1),
                "y": (tf.constant(2.0), tf.SparseTensor([[0]], [1.0], [2])),
            }

        def other():
            scalar(summary, "e")
            return {
                "x": tf.constant(5),
                "y": (tf.constant(6.0), tf.SparseTensor([[1]], [3.0], [2])),
            }

        return tf.cond(ph(False, []), written, other)

    def nested(summary):
        def inner():
            return tf.cond(ph(True, []), lambda: scalar(summary, "f"), lambda: tf.constant(False))

        return tf.cond(ph(True, []), inner, lambda: tf.constant(True))

    def before(summary):
        scalar(summary, "g")
        return tf.cond(ph(True, []), lambda: _then(scalar(summary, "h"), 1), lambda: 2)

    for build in (none, tensor, structure, nested, before):
        stage.say(build.__name__)
        _written(tf, stage, build)


def in_loops(tf, stage):
    def plain(summary):
        def body(i):
            summary.scalar("a", tf.cast(i, tf.float32), step=tf.cast(i, tf.int64))
            return i + 1

        return tf.while_loop(lambda i: i < 3, body, [0])

    def lists(summary):
        def body(i, found):
            summary.scalar("b", 1.5)
            return i + 1, found.write(i, tf.cast(i, tf.float32))

        made = tf.while_loop(lambda i, x: i < 2, body, [0, tf.TensorArray(tf.float32, 2)])
        return made[1].stack()

    def in_a_branch(summary):
        def body(i):
            return tf.cond(i > 0, lambda: _then(summary.scalar("c", 2.0), i + 1), lambda: i + 1)

        return tf.while_loop(lambda i: i < 3, body, [0])

    for build in (plain, lists, in_a_branch):
        stage.say(build.__name__)
        _written(tf, stage, build)
