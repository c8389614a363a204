"""Single ops on arrays large enough for the kernel to dominate: the op families against the reference.

Each function builds one op; its inputs are variables, which no optimizer folds. `steady_op` turns it into a workload
whose probe is the sum of the result's first elements (0 if the result is random).

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import numpy as np

from ci.commands.benchmarks.workloads import Step, open_session

MILLION = 1000000

OPS = {}


def value_probe(value):
    """A number on which both sides must agree."""
    first = np.asarray(value).ravel()[:1000]
    return float(len(first)) if first.dtype == object else float(first.astype(np.float64).sum())


def steady_op(function):
    """Registers `function(tf)`, which returns the tensor to compute, as a workload that does not fetch it."""

    def workload(tf):
        result = function(tf)
        session = open_session(tf)
        session.run(tf.tables_initializer())
        random = function.__name__ in RANDOM
        make = session.make_callable(result.op)
        return Step(make, lambda: 0.0 if random else value_probe(session.run(result)))

    OPS[function.__name__] = workload
    return function


RANDOM = {"random_normal", "random_uniform", "truncated_normal", "dropout_mask"}


def floats(*shape):
    return np.random.RandomState(0).rand(*shape).astype(np.float32)


def ids(count, below):
    return np.random.RandomState(1).randint(0, below, count).astype(np.int32)


@steady_op
def elementwise_chain(tf):
    x, y = tf.Variable(floats(4 * MILLION)), tf.Variable(floats(4 * MILLION))
    z = tf.exp(-(x * 2.0 + y))
    z = tf.sqrt(tf.abs(z + y * x) + 1.0)
    return tf.tanh(z) / (y + 2.0) - x


@steady_op
def matmul_1024(tf):
    x = tf.Variable(floats(1024, 1024))
    return tf.matmul(x, x)


@steady_op
def softmax_rows(tf):
    return tf.nn.softmax(tf.Variable(floats(4096, 1000)))


def reduction(name, axis):
    def build(tf):
        return getattr(tf, name)(tf.Variable(floats(4096, 1000)), axis)

    build.__name__ = f"{name}_{axis}"
    steady_op(build)


for reduce_name in ("reduce_sum", "reduce_mean", "reduce_max", "argmax"):
    for reduce_axis in (0, 1):
        reduction(reduce_name, reduce_axis)


def rows_of_table(count):
    def gather_rows(tf):
        return tf.gather(tf.Variable(floats(50000, 128)), tf.Variable(ids(count, 50000)))

    def scatter_rows(tf):
        table = tf.Variable(np.zeros((50000, 128), np.float32))
        return tf.scatter_update(
            table, tf.Variable(ids(count, 50000)), tf.Variable(np.ones((count, 128), np.float32))
        )

    for build in (gather_rows, scatter_rows):
        build.__name__ = f"{build.__name__}_{count}"
        steady_op(build)


rows_of_table(128)
rows_of_table(100000)


@steady_op
def unique_ids(tf):
    return tf.unique(tf.Variable(ids(MILLION, MILLION)))[0]


@steady_op
def top_10(tf):
    return tf.nn.top_k(tf.Variable(floats(4096, 1000)), 10)[0]


@steady_op
def cumsum_rows(tf):
    return tf.cumsum(tf.Variable(floats(4096, 1000)), 1)


@steady_op
def segment_sums(tf):
    return tf.segment_sum(tf.Variable(floats(4096, 1000)), tf.Variable(np.sort(ids(4096, 500))))


@steady_op
def where_indices(tf):
    return tf.where(tf.Variable(floats(4096, 1000) > 0.5))


@steady_op
def where_choice(tf):
    x = tf.Variable(floats(4096, 1000))
    return tf.where(tf.Variable(floats(4096, 1000) > 0.5), x, x)


@steady_op
def one_hot_rows(tf):
    return tf.one_hot(tf.Variable(ids(4096, 1000)), 1000)


@steady_op
def image_batch(tf):
    images = tf.Variable(floats(128, 256, 256, 3), trainable=False)
    images = tf.image.resize_bilinear(images, [240, 240])
    images = tf.image.crop_to_bounding_box(images, 8, 8, 224, 224)
    return tf.image.per_image_standardization(tf.image.flip_left_right(images))


@steady_op
def random_normal(tf):
    return tf.random_normal([MILLION])


@steady_op
def random_uniform(tf):
    return tf.random_uniform([MILLION])


@steady_op
def truncated_normal(tf):
    return tf.truncated_normal([MILLION])


@steady_op
def dropout_mask(tf):
    return tf.nn.dropout(tf.Variable(floats(MILLION)), rate=0.5)


def sentences(count):
    words = [f"word{i % 977}" for i in range(3 * count)]
    return [" ".join(words[i : i + 3]) for i in range(0, 3 * count, 3)]


def serialized_examples(tf):
    """1,000 records of 784 floats."""
    records = []
    for row in floats(1000, 784):
        feature = tf.train.Feature(float_list=tf.train.FloatList(value=row))
        example = tf.train.Example(features=tf.train.Features(feature={"image": feature}))
        records.append(example.SerializeToString())
    return records


def of_strings(name, make, build):
    """Two workloads: on strings in a variable, and on fed strings with a fetched result."""

    def variable_case(tf):
        return build(tf, tf.Variable(np.array(make(tf), dtype=object), dtype=tf.string))

    def fed_step(tf):
        x = tf.placeholder(tf.string, [None])
        result = build(tf, x)
        feed = {x: np.array(make(tf), dtype=object)}
        session = open_session(tf)
        return Step(
            lambda: session.run(result, feed), lambda: value_probe(session.run(result, feed))
        )

    variable_case.__name__ = name
    steady_op(variable_case)
    OPS[name + "_fed"] = fed_step


def hundred_thousand(tf):
    return sentences(100000)


def parse_images(tf, x):
    return tf.parse_example(x, {"image": tf.FixedLenFeature([784], tf.float32)})["image"]


of_strings("string_split", hundred_thousand, lambda tf, x: tf.string_split(x).values)
of_strings("string_hash", hundred_thousand, lambda tf, x: tf.string_to_hash_bucket_fast(x, 1000))
of_strings("string_join", hundred_thousand, lambda tf, x: tf.string_join([x, x], "-"))
of_strings("parse_examples", serialized_examples, parse_images)
