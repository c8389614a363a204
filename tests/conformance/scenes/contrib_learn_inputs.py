"""tf.contrib.learn: batches from files, generators, data frames and tables; MNIST; word ids."""

# ruff: noqa: E731

import contextlib
import gzip
import io

import numpy as np

from tests.conformance.scenes.contrib_learn_exports import _inside
from tests.conformance.scenes.contrib_slim_data import _example


def _records(tf, stage):
    for number in range(2):
        with tf.python_io.TFRecordWriter(f"{stage.folder}/{number}.rec") as writer:
            for row in range(3):
                word = {"word": [b"w"] * (row + 1)} if row else {}
                writer.write(_example(tf, x=[number * 10.0 + row], **word))


def _fetched(tf, stage, made, steps=9):
    """Records the contents of all batches."""
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        with stage.failing():
            for _ in range(steps):
                stage.say(session.run(made))
        coordinator.request_stop()
        coordinator.join(threads)


def records(tf, stage):
    learn = tf.contrib.learn
    _records(tf, stage)
    pattern = stage.folder + "/*.rec"
    both = [stage.folder + "/0.rec", stage.folder + "/1.rec"]
    features = {"x": tf.FixedLenFeature([1], tf.float32), "word": tf.VarLenFeature(tf.string)}
    ordered = {"randomize_input": False, "num_epochs": 1}
    reader = tf.TFRecordReader
    parse = lambda record: tf.parse_single_example(record, {"x": features["x"]})["x"]
    whole = lambda record: {"parsed": parse(record)}
    spec = {"x": features["x"]}
    cases = (
        (lambda: learn.read_keyed_batch_examples(pattern, 4, lambda: tf.TextLineReader(), **ordered)[0], 0),
        (lambda: learn.read_keyed_batch_examples(pattern, 4, reader, parse_fn=parse, **ordered), 9),
        (lambda: learn.read_keyed_batch_examples([pattern], 4, reader, parse_fn=whole, name="own", **ordered), 9),
        (lambda: learn.read_batch_examples(pattern, 5, reader, parse_fn=parse, **ordered), 9),
        (
            lambda: learn.read_batch_examples(
                pattern, 4, reader, False, 2, 9, 1, read_batch_size=2,
                parse_fn=lambda rows: tf.parse_example(rows, spec)["x"],
            ),
            9,
        ),
        (lambda: learn.read_batch_examples(both, 2, reader, True, 1, 7, 2, seed=3), 0),
        (lambda: learn.read_batch_examples(both, tf.constant(2), reader, queue_capacity=10), 0),
        (lambda: learn.read_batch_examples(both, 2, reader, queue_capacity=5), 0),
        (lambda: learn.read_keyed_batch_features(pattern, 4, features, reader, **ordered), 0),
        # A single thread between its queues: two might swap the batches.
        (lambda: learn.read_keyed_batch_features(pattern, 4, features, reader, num_enqueue_threads=1, **ordered), 9),
        (
            lambda: learn.read_keyed_batch_features(
                pattern, 2, spec, reader, False, 1, 20, 2, 7, 1, None, "own", 3
            ),
            0,
        ),
        (lambda: learn.read_batch_features(pattern, 4, spec, reader, num_enqueue_threads=1, **ordered), 0),
        (
            lambda: learn.read_batch_features(
                both, 2, spec, reader, True, 3, 30, 9, 2, 3, None, "mine", read_batch_size=1
            ),
            0,
        ),
        (lambda: learn.read_batch_record_features(pattern, 4, spec, **ordered), 0),
        (lambda: learn.read_batch_record_features(both, 2, spec, True, None, 40, 2, "own"), 0),
    )  # fmt: skip
    for build, steps in cases:
        with tf.Graph().as_default() as graph, stage.failing():
            tf.set_random_seed(2)
            made = build()
            stage.say(made)
            stage.brief_graph(names=False)
            runners = graph.get_collection("queue_runners")
            stage.say([(r.name, len(r.enqueue_ops)) for r in runners])
            if steps:
                _fetched(tf, stage, made, steps)


def records_refused(tf, stage):
    learn, reader = tf.contrib.learn, tf.TFRecordReader
    _records(tf, stage)
    pattern = stage.folder + "/*.rec"
    read = lambda *given, **options: learn.read_batch_examples(*given, **options)
    stage.attempts(
        lambda: read([], 2, reader),
        lambda: read(stage.folder + "/none*", 2, reader),
        lambda: read(pattern, None, reader),
        lambda: read(pattern, 9, reader, queue_capacity=9),
        lambda: read(pattern, 2, reader, queue_capacity=0),
        lambda: read(pattern, 2, reader, queue_capacity=None),
        lambda: read(pattern, 2, reader, num_threads=0),
        lambda: read(pattern, 2, reader, num_epochs=0),
        lambda: read(pattern, 2, reader, read_batch_size=-1),
        lambda: read(pattern, 2, reader, read_batch_size=None),
    )


def generators(tf, stage):
    make = _inside(tf, "learn_io.generator_io", "generator_input_fn")

    def rows():
        for i in range(4):
            yield {"a": np.float32([i]), "b": np.arange(2) + i, "label": np.float32(-i)}

    def uneven():
        yield {"a": np.ones([2, 1])}
        yield {"a": np.ones([3, 1])}

    cases = {
        "several labels": lambda: make(rows, ["label", "a"], 3, 2, False),
        "one in a list": lambda: make(rows, ["label"], batch_size=3, shuffle=False),
        "other shapes": lambda: make(uneven, batch_size=2, shuffle=False, pad_value=0),
    }
    for name, case in cases.items():
        with tf.Graph().as_default(), stage.failing():
            stage.say(name)
            made = case()()
            stage.say(made)
            stage.brief_graph(names=False)
            if not name.startswith(("other", "not")):
                _fetched(tf, stage, made, 4)
    for options in (
        {},
        {"num_epochs": None},
        {"queue_capacity": 9, "batch_size": 3},
        {"num_threads": 2},
    ):
        with tf.Graph().as_default(), stage.failing():
            stage.say(make(rows, **options)())
            stage.brief_graph(names=False)
            stage.say(len(tf.get_collection("queue_runners")))
    stage.attempts(
        lambda: make([1]),
        lambda: make(lambda: 1),
        lambda: make(lambda: iter([{"a": 1}])),
        lambda: make(lambda: (n for n in range(3))),
        lambda: make(rows, 3),
        lambda: make(rows, ["label", 3]),
        lambda: make(rows, ["none"]),
        lambda: make(rows, "none")(),
        lambda: make(rows, pad_value=0)(),
    )


def tables(tf, stage):
    of = tf.contrib.learn.datasets
    rows = ["1.5,2.5,0", "3.0,4.0,1", "5,6,2"]
    for name, text in (("plain", rows), ("headed", ["3,2,a,b", *rows]), ("long", ["2,2", *rows])):
        with open(f"{stage.folder}/{name}.csv", "w") as file:
            file.write("\n".join(text) + "\n")
    path = lambda name: f"{stage.folder}/{name}.csv"
    stage.attempts(
        lambda: of.base.load_csv_with_header(path("long"), np.int32, np.float32),
        lambda: of.base.load_csv_without_header(path("plain"), np.int64, np.float32),
        lambda: of.base.shrink_csv(path("plain"), 2),
        lambda: of.base.load_iris(path("headed")),
        lambda: of.base.load_boston(path("headed")),
        lambda: [part.shape for part in of.load_dataset("iris")],
        lambda: [part.dtype for part in of.load_dataset("boston", size="large")],
        lambda: of.load_dataset("none"),
        lambda: of.make_dataset("none"),
        lambda: of.make_dataset("circles", 3, seed=2),
        lambda: of.make_dataset("spirals", 3, 0.1, 5),
        lambda: of.make_dataset("spirals", n_samples=4, seed=1, mode="bernoulli"),
        lambda: of.make_dataset("spirals", 4, mode="fermat", n_loops=1),
        lambda: of.make_dataset("spirals", 4, mode="none"),
        lambda: of.synthetic.circles(2),
        lambda: of.synthetic.spirals(2, n_loops=3),
    )


def _digits(stage, images=12):
    """The four MNIST files, with a few small images."""

    def write(name, magic, sizes, content):
        with gzip.open(f"{stage.folder}/{name}.gz", "wb") as file:
            file.write(np.array([magic, *sizes], ">u4").tobytes() + bytes(content))

    for name, count in (("train", images), ("t10k", 9)):
        pixels = (np.arange(count * 6) * 7 % 256).astype(np.uint8)
        write(name + "-images-idx3-ubyte", 2051, [count, 2, 3], pixels)
        write(name + "-labels-idx1-ubyte", 2049, [count], (np.arange(count) % 10).astype(np.uint8))


def _in_batches(data, *sizes, **options):
    found = []
    for size in sizes:
        images, labels = data.next_batch(size, **options)
        found += [images.shape, images.dtype, images[:, 0], labels]
    return [*found, data.epochs_completed]


def digits(tf, stage):
    of = tf.contrib.learn.datasets.mnist
    _digits(stage)
    path = lambda name: stage.folder + f"/{name}-ubyte.gz"
    printed = io.StringIO()

    def extracted(function, name, *given):
        with open(path(name), "rb") as file:
            return function(file, *given)

    def whole(**options):
        return of.read_data_sets(stage.folder, validation_size=4, **options)

    with contextlib.redirect_stdout(printed):
        stage.attempts(
            lambda: extracted(of.extract_images, "t10k-labels-idx1"),
            lambda: extracted(of.extract_labels, "t10k-images-idx3"),
            lambda: extracted(of.extract_labels, "t10k-labels-idx1", True),
            lambda: of.dense_to_one_hot(np.array([2, 0]), 3),
            lambda: _in_batches(whole().train, 3, 5, 3, 2, shuffle=False),
            lambda: _in_batches(whole(seed=3).train, 3, 8),
            lambda: whole(reshape=False, dtype=tf.uint8).validation.images,
            lambda: whole(dtype=tf.int32),
            lambda: of.read_data_sets(stage.folder, validation_size=13),
            lambda: of.read_data_sets(stage.folder, validation_size=-1),
            lambda: [
                [
                    len(part)
                    for part in of.read_data_sets("none", True, True).test.next_batch(2, True)
                ],
                of.read_data_sets("none", True, True).test.next_batch(2, fake_data=True)[1],
                of.read_data_sets("none", True).train.next_batch(3, True)[1],
            ],
        )
    for line in printed.getvalue().splitlines():
        stage.say(line)


def pictures_in_batches(tf, stage):
    of = tf.contrib.learn.datasets.mnist
    images = np.arange(24, dtype=np.uint8).reshape(4, 3, 2, 1)
    make = lambda **options: of.DataSet(images, np.arange(4), seed=1, **options)
    stage.attempts(
        lambda: make(dtype=tf.float64),
        lambda: of.DataSet(images, np.arange(3)),
        lambda: of.DataSet(np.ones([2, 2, 2, 3]), np.arange(2)),
    )
