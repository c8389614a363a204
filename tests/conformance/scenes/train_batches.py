"""Batches by queues: every function's options, sparse tensors, kept elements, errors; nodes."""

from tests.conformance.scenes import eager_mode


def _made(tf, stage, cases):
    """Records each case's structure, names, static shapes and nodes."""
    for name, case in cases.items():
        with tf.Graph().as_default():
            stage.say(name)
            with stage.failing():
                made = case()
                stage.say(type(made).__name__)
                for part in tf.nest.flatten(made, expand_composites=True):
                    stage.say(*[part.name] + [part.dtype, part.shape] * hasattr(part, "dtype"))
            stage.brief_graph(names=False)
            for runner in tf.get_collection("queue_runners"):
                stage.say(runner.name, [op.name for op in runner.enqueue_ops], runner.close_op.name)
            stage.say([each.name for each in tf.get_collection("summaries")])
            stage.say([each.name for each in tf.local_variables()])


def _parts(tf):
    x, y = tf.constant([1.0, 2.0], name="x"), tf.constant(3, name="y")
    return x, y


def several_sources(tf, stage):
    t = tf.train
    x = lambda: _parts(tf)  # noqa: E731
    _made(
        tf,
        stage,
        {
            "other dtypes": lambda: t.batch_join([x(), x()[::-1]], 2),
            "other lengths": lambda: t.batch_join([x(), x()[:1]], 2),
        },
    )


def producers(tf, stage):
    t = tf.train
    functions = (
        lambda: t.batch([1], 2),
        lambda: t.batch_join([[1]], 2),
        lambda: t.shuffle_batch([1], 2, 9, 3),
        lambda: t.shuffle_batch_join([[1]], 2, 9, 3),
        lambda: t.maybe_batch([1], True, 2),
        lambda: t.input_producer([1]),
        lambda: t.string_input_producer(["a"]),
        lambda: t.range_input_producer(2),
        lambda: t.slice_input_producer([[1]]),
        lambda: t.start_queue_runners(),
        lambda: t.QueueRunner(None, [1]),
    )
    with eager_mode(tf):
        stage.attempts(*functions)
