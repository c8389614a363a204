"""Batches by queues: every function's options, sparse parts, what is kept, what is refused; the nodes of each."""

from tests.conformance.scenes import eager_mode


def _made(tf, stage, cases):
    """Says of what each case makes structure, names and static shapes, and the nodes."""
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


def one_source(tf, stage):
    t = tf.train
    _made(
        tf,
        stage,
        {
            "no tensors": lambda: t.batch([object()], 2),
        },
    )


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


def _run(tf, stage, make, steps=6):
    """The values that one thread of a queue gives, and what ends them."""
    with tf.Graph().as_default(), tf.Session() as session:
        made = make()
        session.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        for _ in range(steps):
            try:
                stage.say(session.run(made))
            except tf.errors.OutOfRangeError as error:
                stage.say(error.message.split("(")[0].split("is closed")[-1])
                break
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=60)


def values(tf, stage):
    t = tf.train
    numbers = lambda n, **k: t.range_input_producer(  # noqa: E731
        n, num_epochs=1, shuffle=False, **k
    ).dequeue()

    def sparse():
        n = tf.cast(numbers(5), tf.int64)
        row = tf.SparseTensor([[0]], [n * 10], tf.stack([n + 1]))
        return t.batch({"s": row, "n": n}, 2, allow_smaller_final_batch=True)

    def rows():
        n = tf.range(numbers(4) + 1)
        return t.maybe_batch([n, n * 10], tf.equal(n % 2, 0), 3, enqueue_many=True)

    _run(tf, stage, lambda: t.batch([numbers(5)], 2))
    _run(tf, stage, lambda: t.batch([numbers(5)], 2, allow_smaller_final_batch=True))
    _run(tf, stage, sparse)
    _run(tf, stage, rows)
    _run(tf, stage, lambda: t.slice_input_producer([[1, 2], ["a", "b"]], 2, seed=3))
    _run(tf, stage, lambda: t.input_producer([[1, 2], [3, 4]], num_epochs=3, seed=8).dequeue(), 9)
    _run(tf, stage, lambda: t.limit_epochs(tf.constant("x"), 2))
