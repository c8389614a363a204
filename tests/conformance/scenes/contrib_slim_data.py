"""tf.contrib.slim: records read in parallel, decoded and provided; batch queues."""

# ruff: noqa: E731

import contextlib
import io

import numpy as np


def _feature(tf, *values):
    if isinstance(values[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def _example(tf, **features):
    made = {name.replace("__", "/"): _feature(tf, *values) for name, values in features.items()}
    return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString()


def _in_bytes(tf, kind):
    """An image of 2 x 3 pixels, encoded in a format."""
    pixels = np.arange(18, dtype=np.uint8).reshape([2, 3, 3]) * 10
    if kind == "bmp":
        head = b"BM" + b"\0" * 8 + b"\x36\0\0\0" + b"\x28\0\0\0" + b"\x03\0\0\0" + b"\x02\0\0\0"
        head += b"\x01\0\x18\0" + b"\0" * 24
        rows = [row[:, ::-1].tobytes() + b"\0" * 3 for row in pixels[::-1]]
        return head + b"".join(rows)
    encode = {"png": tf.image.encode_png, "jpeg": tf.image.encode_jpeg}[kind]
    with tf.Graph().as_default(), tf.Session() as session:
        return session.run(encode(pixels))


def pictures(tf, stage):
    image = tf.contrib.slim.tfexample_decoder.Image
    png, jpeg, bmp = (_in_bytes(tf, kind) for kind in ("png", "jpeg", "bmp"))
    raw = np.arange(6, dtype=np.uint8).tobytes()
    fed = lambda name, shape=(): tf.placeholder(tf.string, shape, name)
    given = {
        "png": lambda: {"image/encoded": fed("png"), "image/format": "png"},
        "jpeg": lambda: {"image/encoded": fed("jpeg"), "image/format": "jpeg"},
        "bmp": lambda: {"image/encoded": bmp, "image/format": "bmp"},
        "raw": lambda: {"image/encoded": raw, "image/format": "raw"},
        "RAW": lambda: {"image/encoded": raw, "image/format": "RAW"},
        "lie": lambda: {"image/encoded": fed("png"), "image/format": "JPG"},
        "own": lambda: {"a": fed("png"), "b": "png"},
        "many": lambda: {"image/encoded": fed("many", [2]), "image/format": "png"},
        "broken": lambda: {"image/encoded": b"\x89PNG", "image/format": "png"},
        "missing": lambda: {"image/encoded": fed("png")},
    }

    def case(which, **options):
        def build():
            handler = image(**options)
            tensors = {k: tf.convert_to_tensor(v) for k, v in given[which]().items()}
            return handler.tensors_to_item(tensors), tf.constant(str(handler.keys))

        return build

    stage.each(
        {
            "png": case("png"),
            "jpeg": case("jpeg", channels=1, dct_method="INTEGER_ACCURATE"),
            "bmp": case("bmp", shape=[3, 2, 3]),
            "raw": case("raw", shape=[2, 3, 1], channels=1),
            "raw of others": case("RAW", shape=[3], channels=1, dtype=tf.uint16),
            "floats": case("png", dtype=tf.float32, channels=4),
            "lie": case("lie", channels=1),
            "own keys": case("own", image_key="a", format_key="b"),
            "many": case("many", repeated=True),
            "many of floats": case("many", repeated=True, dtype=tf.float32, shape=[6, 1, 3]),
            "broken": case("broken"),
            "missing": case("missing"),
        },
        graph="sum",
        png=png,
        jpeg=jpeg,
        many=[png, png],
    )


def handlers(tf, stage):
    of = tf.contrib.slim.tfexample_decoder
    sparse = lambda values, size=None: tf.SparseTensor(
        [[i] for i in range(len(values))], values, [size or len(values)]
    )
    table = lambda: tf.contrib.lookup.index_table_from_tensor(["a", "b"], default_value=7)
    boxes = lambda make: {k: make([0.1 + i, 0.2 + i]) for i, k in enumerate("pqrs")}
    plain = lambda: {"x": tf.constant([[1, 2, 3, 4]]), "h": tf.constant([2]), "w": tf.constant([2])}
    thin = lambda: {"x": sparse([5, 6], 4), "h": sparse([2]), "w": sparse([2]), "s": sparse([2, 2])}

    def case(handler, features):
        def build():
            made = handler()
            item = made.tensors_to_item(features())
            return item, tf.constant(str(made.keys))

        return build

    cases = {
        "boxes": case(lambda: of.BoundingBox(list("pqrs")), lambda: boxes(tf.constant)),
        "boxes of sparse": case(
            lambda: of.BoundingBox(("p", "q", "r", "s")), lambda: boxes(sparse)
        ),
        "dense shaped": case(lambda: of.Tensor("x", shape=[2, 2]), plain),
        "dense by keys": case(lambda: of.Tensor("x", ["h", "w"]), plain),
        "dense by a key": case(
            lambda: of.Tensor("x", shape_keys="h"), lambda: {**plain(), "h": tf.constant([4, 1])}
        ),
        "sparse": case(lambda: of.Tensor("x"), thin),
        "sparse shaped": case(lambda: of.Tensor("x", shape=(2, 2), default_value=9), thin),
        "sparse by keys": case(lambda: of.Tensor("x", ["h", "w"]), thin),
        "looked up": case(
            lambda: of.LookupTensor("x", table(), shape=[2, 1]),
            lambda: {"x": tf.constant(["b", "c"])},
        ),
        "looked up by keys": case(
            lambda: of.LookupTensor("x", table(), ["h"]),
            lambda: {"x": tf.constant([["b", "a"]]), "h": tf.constant([2])},
        ),
        "backup": case(
            lambda: of.BackupHandler(of.Tensor("e"), of.Tensor("x")),
            lambda: {"e": tf.zeros([0], tf.int32), **plain()},
        ),
        "no backup": case(lambda: of.BackupHandler(of.Tensor("x"), of.Tensor("h")), plain),
        "function": case(
            lambda: of.ItemHandlerCallback("x", lambda tensors: tensors["x"] + 1), plain
        ),
        "places": case(
            lambda: of.SparseTensor(),
            lambda: {"indices": sparse([1, 0]), "values": sparse([0.5, 1.5])},
        ),
        "places dense": case(
            lambda: of.SparseTensor("i", "v", densify=True, default_value=-1.0, shape=[4]),
            lambda: {"i": sparse([1, 3]), "v": sparse([0.5, 1.5])},
        ),
        "places by a key": case(
            lambda: of.SparseTensor(indices_key="i", shape_key="s"),
            lambda: {"i": sparse([1, 3]), "values": sparse([5, 6]), "s": sparse([5])},
        ),
    }
    stage.each(cases, graph="sum")
    stage.attempts(
        lambda: of.BoundingBox(list("pqr")),
        lambda: of.BoundingBox().keys,
        lambda: of.Tensor("x", ["h"], [1]),
        lambda: of.BackupHandler(of.Tensor("x"), 3),
        lambda: of.BackupHandler(None, of.Tensor("x")),
        lambda: of.ItemHandler("x"),
        lambda: tf.contrib.slim.data_decoder.DataDecoder(),
    )


def decoded(tf, stage):
    of = tf.contrib.slim.tfexample_decoder
    one = tf.FixedLenFeature
    features = {
        "b": one([2, 2], tf.float32),
        "a": one([], tf.int64, default_value=5),
        "word": tf.VarLenFeature(tf.string),
    }
    items = {
        "second": of.Tensor("b"),
        "first": of.Tensor("a"),
        "words": of.Tensor("word", default_value="none"),
    }
    decoder = of.TFExampleDecoder(features, items)
    record = tf.placeholder(tf.string, [], "record")
    everything, some = decoder.decode(record), decoder.decode(record, ["words", "second"])
    stage.say(decoder.list_items(), everything, some)
    stage.attempts(
        lambda: decoder.decode(record, ["none"]),
        lambda: decoder.decode(record, []),
        lambda: decoder.decode(record, ("first",)),
        lambda: of.TFExampleDecoder({"a": one([], tf.int64)}, {"x": of.Tensor("b")}).decode(record),
        lambda: of.TFExampleDecoder(features, {}).decode(record),
    )
    with tf.Session() as session:
        whole = _example(tf, b=[1.0, 2.0, 3.0, 4.0], a=[7], word=[b"u", b"v"])
        for given in (whole, _example(tf, b=[1.0, 2.0, 3.0, 4.0]), _example(tf, a=[1])):
            stage.attempt(session.run, [everything, some], {record: given})
    stage.brief_graph()


def readers(tf, stage):
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        _readers(tf, stage)
        stage.brief_graph(names=False)


def _readers(tf, stage):
    of = tf.contrib.slim.parallel_reader
    for name in "ab":
        with open(f"{stage.folder}/{name}.txt", "w") as file:
            file.write(f"{name}0\n{name}1\n{name}2\n")
    queue = tf.FIFOQueue(9, [tf.string, tf.string], name="common")
    reader = of.ParallelReader(tf.TextLineReader, queue, 2, {"skip_header_lines": 1})
    files = tf.train.string_input_producer(
        [stage.folder + "/a.txt"], num_epochs=1, shuffle=False, name="files"
    )
    stage.say(reader.num_readers, reader.common_queue is queue)
    stage.say(of.ParallelReader(tf.WholeFileReader, queue).num_readers)
    one, some = reader.read(files, "one"), reader.read_up_to(files, 5, name="some")
    counts = [reader.num_records_produced(n) for n in (None, "records")]
    counts.append(reader.num_work_units_completed("done"))
    stage.say(one, some, counts)
    bad = tf.FIFOQueue(9, [tf.string, tf.int64])
    single = of.single_pass_read(
        [stage.folder + "/b.txt", stage.folder + "/a.txt"],
        tf.TextLineReader,
        {"skip_header_lines": 2},
    )
    own = of.single_pass_read(stage.folder + "/b*.txt", tf.WholeFileReader, scope="own")
    stage.attempts(
        lambda: of.ParallelReader(tf.TextLineReader, bad),
        lambda: of.ParallelReader(tf.TextLineReader, tf.FIFOQueue(9, [tf.string])),
        lambda: of.get_data_files(stage.folder + "/none*"),
        lambda: of.get_data_files(["x", "y"]),
        lambda: of.get_data_files("no such file"),
        lambda: of.get_data_files([]),
        lambda: sorted(of.get_data_files([stage.folder + "/[a]*", ("z", "y")])),
        lambda: of.single_pass_read([], tf.TextLineReader),
        lambda: of.parallel_read(
            ["x"],
            tf.TextLineReader,
            num_readers=2,
            shuffle=False,
            dtypes=[tf.string, tf.string],
            capacity=3,
            seed=2,
            scope="mine",
        ),
        lambda: of.parallel_read(("x", "y"), tf.TextLineReader, 2, 1, None, True, None, 9, 4, 5),
        lambda: of.parallel_read("x", tf.TextLineReader, dtypes=[tf.string, tf.int32]),
        lambda: of.parallel_read("x", tf.TextLineReader),
    )
    runners = [
        r for r in tf.get_collection("queue_runners") if "single" in r.name or "own" in r.name
    ]
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = [t for r in runners for t in r.create_threads(session, coordinator, start=True)]
        for fetched in (single, single, single, own[0]):
            stage.attempt(session.run, fetched)
        stage.say(session.run(counts))
        coordinator.request_stop()
        session.run([q.queue.close(True) for q in runners])
        coordinator.join(threads)
    stage.brief_graph(names=False)


def batches_ahead(tf, stage):
    make = tf.contrib.slim.prefetch_queue.prefetch_queue
    vague = tf.placeholder(tf.float32, [None, 2], "vague")
    x, y = tf.constant([[1.0, 2.0]]), tf.constant([3])
    queues = [
        make([x, y]),
        make({"b": y, "a": x}, 3, 2, name="own"),
        make([x, vague], capacity=5, dynamic_pad=True, shared_name="shared"),
        make((y,), num_threads=3),
    ]
    stage.attempts(
        lambda: make([vague]),
        lambda: make([vague], dynamic_pad=True).shapes,
        lambda: make([tf.placeholder(tf.float32)], dynamic_pad=True),
        lambda: make([]),
        lambda: make(x),
    )
    for queue in queues:
        stage.say(queue.name, queue.names, queue.shapes, queue.dtypes, queue.dequeue())
    runners = tf.get_collection("queue_runners")
    stage.say([(r.name, [op.name for op in r.enqueue_ops]) for r in runners])
    with tf.Session() as session:
        session.run(runners[1].enqueue_ops[0])
        stage.say(session.run(queues[1].size()), session.run(queues[1].dequeue()))
    stage.brief_graph()
    for summary in tf.get_collection("summaries")[:2]:
        stage.say(summary.op.name)


def sizes(tf, stage):
    of = tf.contrib.slim.model_analyzer
    for name, shape, dtype in (
        ("a", [2, 3], tf.float32),
        ("b", [], tf.int64),
        ("c", [4], tf.float16),
        ("d", [0, 3], tf.int32),
    ):
        tf.get_variable(name, shape, dtype, tf.zeros_initializer())
    tf.placeholder(tf.float32, [None, 3], "vague")
    tf.placeholder(tf.float64, None, "unknown")
    tf.unstack(tf.ones([2, 5]), name="apart")
    found = tf.global_variables()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        stage.attempts(
            lambda: of.analyze_vars(found),
            lambda: of.analyze_vars(found, True),
            lambda: of.analyze_vars([]),
            lambda: of.analyze_ops(tf.get_default_graph()),
            lambda: of.analyze_ops(tf.get_default_graph(), print_info=True),
            lambda: of.analyze_ops(tf.Graph()),
            lambda: of.tensor_description(tf.ones([2, 3], tf.int64)),
            lambda: of.tensor_description(found[1]),
            lambda: of.tensor_description(tf.placeholder(tf.string, [None, 2])),
        )
    for line in printed.getvalue().splitlines():
        stage.say(line)
