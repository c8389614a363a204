"""Batches by queues: every function's options, sparse parts, what is kept, what is refused; the nodes of each."""

import numpy as np

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


def _examples(tf):
    sparse = tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])
    return [tf.constant([[1.0], [2.0]], name="rows"), sparse]


def one_source(tf, stage):
    t = tf.train
    x = lambda: _parts(tf)  # noqa: E731
    unknown = lambda *shape: tf.placeholder(tf.float32, list(shape) or None)  # noqa: E731
    _made(
        tf,
        stage,
        {
            "tensor": lambda: t.batch(x()[0], 3),
            "list": lambda: t.batch(list(x()), 3),
            "tuple": lambda: t.batch(x(), 3),
            "one in a list": lambda: t.batch([x()[0]], 3),
            "dict": lambda: t.batch({"b": x()[0], "a": x()[1], "c": x()[1]}, 3),
            "threads": lambda: t.batch(x(), 3, num_threads=3),
            "capacity": lambda: t.batch(x(), 3, 1, 7),
            "many": lambda: t.batch([x()[0], [[1], [2]]], 3, enqueue_many=True),
            "shapes": lambda: t.batch([unknown(), unknown()], 3, shapes=[[2], []]),
            "shapes of one": lambda: t.batch([unknown()], 3, shapes=[4]),
            "padded": lambda: t.batch([unknown(None, 2)], 3, dynamic_pad=True),
            "smaller": lambda: t.batch(x(), 3, allow_smaller_final_batch=True),
            "shared": lambda: t.batch(x(), 3, shared_name="shared", name="own"),
            "fed size": lambda: t.batch(x(), tf.placeholder(tf.int32, [])),
            "fed size, smaller": lambda: t.batch(
                x(), tf.placeholder(tf.int32, []), allow_smaller_final_batch=True
            ),
            "sparse": lambda: t.batch(_examples(tf), 2),
            "sparse of many": lambda: t.batch(_examples(tf), 2, enqueue_many=True),
            "sparse in a dict": lambda: t.batch(dict(zip("ab", _examples(tf))), 2),
            "sparse alone": lambda: t.batch(_examples(tf)[1], 2),
            "no rank": lambda: t.batch([unknown()], 3),
            "no size": lambda: t.batch([unknown(None)], 3),
            "many of a scalar": lambda: t.batch([x()[1]], 3, enqueue_many=True),
            "nothing": lambda: t.batch([], 3),
            "nothing in a dict": lambda: t.batch({}, 3),
            "numbers": lambda: t.batch([1, 2.0, "a"], 2),
            "no tensors": lambda: t.batch([object()], 2),
            "wrong shapes": lambda: t.batch(x(), 3, shapes=[[2]]),
            "shuffled": lambda: t.shuffle_batch(x(), 3, 20, 10),
            "shuffled with a seed": lambda: t.shuffle_batch(
                x()[0], 3, 20, 10, 2, 5, False, None, True, "shared", "own"
            ),
            "shuffled, many": lambda: t.shuffle_batch(
                [[1, 2]], 3, capacity=9, min_after_dequeue=2, enqueue_many=True
            ),
            "no room": lambda: t.shuffle_batch(x(), 3, 10, 10),
            "shuffled sparse": lambda: t.shuffle_batch(_examples(tf), 3, 10, 2),
        },
    )


def chosen_examples(tf, stage):
    t = tf.train
    x = lambda: _parts(tf)  # noqa: E731
    keep = lambda shape=(): tf.placeholder(tf.bool, shape)  # noqa: E731
    rows = lambda: [tf.constant([1.0, 2.0]), tf.constant([[1], [2]])]  # noqa: E731
    _made(
        tf,
        stage,
        {
            "true": lambda: t.maybe_batch(x(), True, 2),
            "false": lambda: t.maybe_batch(x(), False, 2),
            "fed": lambda: t.maybe_batch(x(), keep(), 2),
            "fed, many": lambda: t.maybe_batch(rows(), keep(), 2, enqueue_many=True),
            "rows": lambda: t.maybe_batch(rows(), keep([None]), 2, 2, enqueue_many=True),
            "rows by a list": lambda: t.maybe_batch(rows(), [True, False], 2, enqueue_many=True),
            "rows of one": lambda: t.maybe_batch(x(), keep([None]), 2),
            "matrix": lambda: t.maybe_batch(rows(), keep([2, 2]), 2, enqueue_many=True),
            "no rank": lambda: t.maybe_batch(x(), keep(None), 2),
            "sparse": lambda: t.maybe_batch(_examples(tf), keep(), 2),
            "sparse many": lambda: t.maybe_batch(_examples(tf), keep(), 2, enqueue_many=True),
            "sparse rows": lambda: t.maybe_batch(_examples(tf), keep([2]), 2, enqueue_many=True),
            "options": lambda: t.maybe_batch(
                {"a": x()[0]}, keep(), 2, 2, 9, False, None, True, True, "shared", "own"
            ),
            "shuffled": lambda: t.maybe_shuffle_batch(x(), 2, 9, 3, keep()),
            "shuffled, options": lambda: t.maybe_shuffle_batch(
                x(), 2, 9, 3, keep(), 2, 7, False, None, True, "shared", "own"
            ),
            "shuffled, no room": lambda: t.maybe_shuffle_batch(x(), 2, 3, 3, keep()),
            "joined": lambda: t.maybe_batch_join([x(), x()], keep(), 2),
            "joined, rows": lambda: t.maybe_batch_join(
                [rows(), rows()], keep([2]), 2, 9, True, None, False, True, "shared", "own"
            ),
            "joined, shuffled": lambda: t.maybe_shuffle_batch_join(
                [x(), x()], 2, 9, 3, keep(), 4, False, None, True, "shared", "own"
            ),
        },
    )


def several_sources(tf, stage):
    t = tf.train
    x = lambda: _parts(tf)  # noqa: E731
    unknown = lambda *shape: tf.placeholder(tf.float32, list(shape))  # noqa: E731
    _made(
        tf,
        stage,
        {
            "two": lambda: t.batch_join([x(), x()], 2),
            "lists": lambda: t.batch_join([list(x())] * 3, 2, 9),
            "dicts": lambda: t.batch_join(
                [{"b": x()[0], "a": x()[1]}, {"a": 1, "b": [1.0, 2.0]}], 2
            ),
            "other keys": lambda: t.batch_join([{"b": x()[0]}, {"a": x()[0]}], 2),
            "other dtypes": lambda: t.batch_join([x(), x()[::-1]], 2),
            "other lengths": lambda: t.batch_join([x(), x()[:1]], 2),
            "other shapes": lambda: t.batch_join([[unknown(2)], [unknown(3)]], 2),
            "shapes that merge": lambda: t.batch_join([[unknown(None, 3)], [unknown(2, None)]], 2),
            "padded": lambda: t.batch_join([[unknown(None)], [unknown(None)]], 2, dynamic_pad=True),
            "options": lambda: t.batch_join([x(), x()], 2, 9, False, None, True, True, "s", "own"),
            "many": lambda: t.batch_join([[[1, 2]], [[3, 4]]], 2, enqueue_many=True),
            "nothing": lambda: t.batch_join([], 2),
            "nothing within": lambda: t.batch_join([[], []], 2),
            "sparse": lambda: t.batch_join([_examples(tf), _examples(tf)], 2),
            "sparse and not": lambda: t.batch_join([_examples(tf), [[[1.0], [2.0]], [1.0]]], 2),
            "shuffled": lambda: t.shuffle_batch_join([x(), x()], 2, 9, 3),
            "shuffled, options": lambda: t.shuffle_batch_join(
                [x(), x()], 2, 9, 3, 5, False, None, True, "shared", "own"
            ),
            "shuffled sparse": lambda: t.shuffle_batch_join([_examples(tf)] * 2, 2, 9, 3),
        },
    )


def producers(tf, stage):
    t = tf.train
    stop = lambda: tf.no_op(name="stop")  # noqa: E731
    rows = [[1, 2], [3, 4]]
    unknown = lambda *shape: tf.placeholder(tf.int32, list(shape))  # noqa: E731
    _made(
        tf,
        stage,
        {
            "rows": lambda: t.input_producer(rows).dequeue(),
            "options": lambda: t.input_producer(
                rows, [2], 3, False, 5, 7, "shared", "full", "own", stop()
            ).dequeue(),
            "shape": lambda: t.input_producer(unknown(None, None), [2], seed=4).dequeue(),
            "no shape": lambda: t.input_producer(unknown(None, None)),
            "other shape": lambda: t.input_producer(rows, [3]),
            "scalar": lambda: t.input_producer(3),
            "no epochs": lambda: t.input_producer(rows, num_epochs=0),
            "texts": lambda: t.string_input_producer(["a", "b"]).dequeue(),
            "texts, options": lambda: t.string_input_producer(
                tf.constant(["a"]), 2, False, 5, 7, "shared", "own", stop()
            ).dequeue_many(2),
            "no texts": lambda: t.string_input_producer([]),
            "empty tensor": lambda: t.string_input_producer(
                tf.placeholder(tf.string, [0])
            ).dequeue(),
            "numbers as texts": lambda: t.string_input_producer([1, 2]),
            "range": lambda: t.range_input_producer(5).dequeue(),
            "range, options": lambda: t.range_input_producer(
                unknown(), 2, False, 5, 7, "shared", "own"
            ).dequeue(),
            "slices": lambda: t.slice_input_producer([rows, ["a", "b"]]),
            "slices, options": lambda: t.slice_input_producer(
                (rows, np.ones([2, 3])), 2, False, 5, 7, "shared", "own"
            ),
            "slices of unknown": lambda: t.slice_input_producer([unknown(None, 2), unknown(3)]),
            "no slices": lambda: t.slice_input_producer([]),
            "epochs": lambda: t.limit_epochs(tf.constant(1), 2, "own"),
            "all epochs": lambda: t.limit_epochs(tf.constant(1)),
            "negative epochs": lambda: t.limit_epochs(tf.constant(1), -1),
            "files": lambda: t.match_filenames_once("*.none", "own"),
            "files of several": lambda: t.match_filenames_once(["a", "b"]),
        },
    )
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
