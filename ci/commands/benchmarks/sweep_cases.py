"""Sweep cases: common ops and layers, each at two sizes, most with gradients too.

A row of CASES consists of a name, a function of `tf` and inputs, and the inputs for each size. A shape denotes a
variable of floats between 0 and 1; inputs drawn by `generated_input` are variables too, since no optimizer folds these;
anything else is passed unchanged.

Also runs under Python 3.7, with TensorFlow 1.15.5.
"""

import functools
import os
import tempfile

import numpy as np

from ci.commands.benchmarks.networks import normal


def random():
    return np.random.RandomState(7)


def ids(below, *shape):
    return random().randint(0, below, shape).astype(np.int32)


def words(count):
    return np.array([f"Word {i} of number{i % 977}" for i in range(count)], dtype=object)


def generated_input(function):
    """Case inputs, generated when a case is built, since all of them would take 100 MB."""
    return lambda *arguments: functools.partial(function, *arguments)


indices, texts = generated_input(ids), generated_input(words)


@generated_input
def flags(*shape):
    return ids(2, *shape) > 0


@generated_input
def signed(*shape):
    return random().randn(*shape).astype(np.float32)


@generated_input
def weights(*shape):
    return normal(random(), *shape)


@generated_input
def definite(*shape):
    x = signed(*shape)()
    return x @ x.swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1], dtype=np.float32)


@generated_input
def numerals(count):
    return np.array([f"{x:.4f}" for x in random().rand(count) * 1000], dtype=object)


@generated_input
def repeated_text(text, count):
    return np.array([text] * count, dtype=object)


# name -> (function, small inputs, large inputs, whether to compute gradients)
CASES = {}


def case(name, function, small, large, gradient=False):
    CASES[name] = function, small, large, gradient


def family(names, small, large, gradient=True):
    """Cases that call `tf.NAME` on their inputs."""
    for name in names.split():

        def call(tf, *inputs, name=name):
            for part in name.split("."):
                tf = getattr(tf, part)
            return tf(*inputs)

        case(name, call, small, large, gradient)


VECTOR, MATRIX = [(64, 128)], [(1024, 1000)]
family("exp log sqrt rsqrt tanh sigmoid erf lgamma sin square reciprocal log1p", VECTOR, MATRIX)
family("abs sign nn.relu nn.elu nn.softplus", [signed(64, 128)], [signed(1024, 1000)])
family("floor round", [signed(64, 128)], [signed(1024, 1000)], False)
family("add multiply divide maximum pow squared_difference atan2", VECTOR * 2, MATRIX * 2)
family("mod floordiv", VECTOR * 2, MATRIX * 2, False)
family("greater equal", VECTOR * 2, MATRIX * 2, False)
for kind, other in (("row", (1000,)), ("column", (1024, 1))):
    small = tuple({1000: 128, 1024: 64, 1: 1}[n] for n in other)
    case(f"multiply by a {kind}", lambda tf, x, y: x * y, VECTOR + [small], MATRIX + [other], True)
case("where", lambda tf, c, x, y: tf.where(c, x, y), [flags(64, 128), *VECTOR * 2],
     [flags(1024, 1000), *MATRIX * 2], True)  # fmt: skip
case("clip_by_value", lambda tf, x: tf.clip_by_value(x, 0.2, 0.7), VECTOR, MATRIX, True)
case("cast to int32", lambda tf, x: tf.cast(x, tf.int32), VECTOR, MATRIX)
case("int32 mod", lambda tf, x: x % 7, [indices(1000, 8192)], [indices(1000, 1000000)])

CUBE = [(16, 32, 8)], [(128, 64, 128)]
for reduction in ("sum", "mean", "max", "prod"):
    for axis in (0, 1, 2):
        case(
            f"reduce_{reduction}, axis {axis} of 3",
            lambda tf, x, r=reduction, a=axis: getattr(tf, "reduce_" + r)(x, a), *CUBE, axis == 1,
        )  # fmt: skip
family("reduce_sum reduce_logsumexp", VECTOR, MATRIX)
case("moments", lambda tf, x: tf.concat(tf.nn.moments(x, [0]), 0), VECTOR, MATRIX, True)
case("transpose", lambda tf, x: tf.transpose(x), VECTOR, MATRIX, True)
case("transpose 0 2 1", lambda tf, x: tf.transpose(x, [0, 2, 1]), *CUBE, True)
case("transpose 1 0 2", lambda tf, x: tf.transpose(x, [1, 0, 2]), *CUBE, True)
family("cumsum cumprod", VECTOR, MATRIX)
case("concat", lambda tf, x, y: tf.concat([x, y], 1), VECTOR * 2, MATRIX * 2, True)
case("split", lambda tf, x: tf.stack(tf.split(x, 4, 1)), VECTOR, MATRIX, True)
case("tile", lambda tf, x: tf.tile(x, [2, 2]), VECTOR, [(512, 500)], True)
case("pad", lambda tf, x: tf.pad(x, [[1, 2], [3, 4]]), VECTOR, MATRIX, True)
case("slice", lambda tf, x: x[3:50, ::2], VECTOR, MATRIX, True)
case("reverse", lambda tf, x: tf.reverse(x, [1]), VECTOR, MATRIX)
case("gather", lambda tf, x, i: tf.gather(x, i), [(1000, 64), indices(1000, 64)],
     [(50000, 128), indices(50000, 10000)], True)  # fmt: skip
case("gather_nd", lambda tf, x, i: tf.gather_nd(x, i), [(100, 64), indices(64, 500, 2)],
     [(2000, 200), indices(200, 100000, 2)], True)  # fmt: skip
case("segment_sum", lambda tf, x, i: tf.unsorted_segment_sum(x, i, 50), [(500, 32), indices(50, 500)],
     [(20000, 64), indices(50, 20000)], True)  # fmt: skip
case("one_hot", lambda tf, i: tf.one_hot(i, 100), [indices(100, 64)], [indices(100, 10000)])
case("boolean_mask", lambda tf, x, m: tf.boolean_mask(x, m), [(500, 16), flags(500)],
     [(50000, 16), flags(50000)])  # fmt: skip
family("sort argsort argmax", VECTOR, MATRIX, False)
case("sort of 1-d", lambda tf, x: tf.sort(x), [(1000,)], [(200000,)])
case("top_k 5", lambda tf, x: tf.nn.top_k(x, 5)[0], VECTOR, MATRIX, True)
case("top_k 100", lambda tf, x: tf.nn.top_k(x, 100)[0], VECTOR, MATRIX)
case("unique", lambda tf, x: tf.unique(x)[0], [indices(100, 1000)], [indices(10000, 200000)])

family("matmul", [(64, 64)] * 2, [(512, 512)] * 2)
case(
    "matmul, batched",
    lambda tf, x, y: tf.matmul(x, y),
    [(8, 32, 32)] * 2,
    [(64, 128, 128)] * 2,
    True,
)
case(
    "matmul, int32",
    lambda tf, x, y: tf.matmul(x, y),
    [indices(99, 32, 32)] * 2,
    [indices(99, 128, 128)] * 2,
)
case(
    "einsum",
    lambda tf, x, y: tf.einsum("bij,bkj->bik", x, y),
    [(8, 16, 32)] * 2,
    [(64, 64, 64)] * 2,
    True,
)
family("cholesky matrix_inverse linalg.logdet", [definite(8, 8)], [definite(64, 32, 32)])
case("cholesky, one", lambda tf, x: tf.cholesky(x), [definite(32, 32)], [definite(256, 256)], True)
case("triangular_solve", lambda tf, x, y: tf.matrix_triangular_solve(x, y), [definite(8, 16, 16), (8, 16, 4)],
     [definite(64, 64, 64), (64, 64, 16)], True)  # fmt: skip
family("matrix_solve", [definite(8, 16, 16), (8, 16, 4)], [definite(64, 64, 64), (64, 64, 16)])
family("self_adjoint_eigvals", [definite(16, 16)], [definite(8, 64, 64)], False)
case("qr", lambda tf, x: tf.qr(x)[0], [definite(16, 16)], [definite(8, 64, 64)])
case("svd", lambda tf, x: tf.svd(x, compute_uv=False), [definite(16, 16)], [definite(8, 64, 64)])

DRAWN = [[8192]], [[200000]]
family("random_uniform random_normal truncated_normal", *DRAWN, False)
case("random_gamma", lambda tf, n: tf.random_gamma(n, 2.0), *DRAWN)
case("random_poisson", lambda tf, n: tf.random_poisson(3.0, n), *DRAWN)
case("multinomial", lambda tf, x: tf.multinomial(x, 10), VECTOR, MATRIX)
case("dropout", lambda tf, x: tf.nn.dropout(x, rate=0.5), VECTOR, MATRIX, True)
case("random_shuffle", lambda tf, x: tf.random_shuffle(x), [(1000, 16)], [(100000, 16)])

family("nn.softmax nn.log_softmax nn.l2_loss", VECTOR, MATRIX)
case("l2_normalize", lambda tf, x: tf.nn.l2_normalize(x, 1), VECTOR, MATRIX, True)
case("bias_add", lambda tf, x, y: tf.nn.bias_add(x, y), [*VECTOR, (128,)], [*MATRIX, (1000,)], True)
case("softmax_cross_entropy", lambda tf, x, y: tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=x),
     VECTOR * 2, MATRIX * 2, True)  # fmt: skip
case("sigmoid_cross_entropy", lambda tf, x, y: tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x),
     VECTOR * 2, MATRIX * 2, True)  # fmt: skip
case("sparse_cross_entropy", lambda tf, i, x: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i, logits=x),
     [indices(128, 64), *VECTOR], [indices(1000, 1024), *MATRIX], True)  # fmt: skip
IMAGES = (4, 16, 16, 8), (16, 56, 56, 64)


def convolution(name, function, *filters):
    """A convolution whose filter has the images' depth."""
    small, large = ([signed(*x), weights(*k)] for x, k in zip(IMAGES, filters))
    case(name, function, small, large, True)


convolution(
    "conv2d 3x3", lambda tf, x, k: tf.nn.conv2d(x, k, 1, "SAME"), (3, 3, 8, 8), (3, 3, 64, 64)
)
convolution(
    "conv2d 1x1", lambda tf, x, k: tf.nn.conv2d(x, k, 1, "SAME"), (1, 1, 8, 8), (1, 1, 64, 64)
)
convolution(
    "conv2d, stride 2", lambda tf, x, k: tf.nn.conv2d(x, k, 2, "SAME"), (3, 3, 8, 8), (3, 3, 64, 64)
)
convolution(
    "depthwise",
    lambda tf, x, k: tf.nn.depthwise_conv2d(x, k, [1] * 4, "SAME"),
    (3, 3, 8, 1),
    (3, 3, 64, 1),
)
for kind in ("max", "avg"):
    case(kind + "_pool", lambda tf, x, k=kind: getattr(tf.nn, k + "_pool")(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
         *([(x)] for x in IMAGES), True)  # fmt: skip
case("fused_batch_norm", lambda tf, x, s, b: tf.nn.fused_batch_norm(x, s, b)[0], [IMAGES[0], (8,), (8,)],
     [IMAGES[1], (64,), (64,)], True)  # fmt: skip
case("lrn", lambda tf, x: tf.nn.local_response_normalization(x), *([x] for x in IMAGES), True)
case("ctc_loss", lambda tf, x: tf.nn.ctc_loss(tf.contrib.layers.dense_to_sparse(
    tf.constant(1 + ids(20, int(x.shape[1]), 8))), x, [int(x.shape[0])] * int(x.shape[1])),
    [signed(30, 4, 24)], [signed(100, 32, 28)], True)  # fmt: skip


def layer(cell, *both):
    """A dynamic recurrent layer over [batch, steps, units]; a bidirectional pair if `both`."""

    def build(tf, x):
        cells = [getattr(tf.nn.rnn_cell, cell)(int(x.shape[2])) for _ in range(2 if both else 1)]
        run = tf.nn.bidirectional_dynamic_rnn if both else tf.nn.dynamic_rnn
        return tf.concat(run(*cells, x, dtype=tf.float32)[0], -1)

    return build


for title, build in (
    ("LSTM", layer("LSTMCell")),
    ("GRU", layer("GRUCell")),
    ("BiLSTM", layer("LSTMCell", True)),
):
    case(title, build, [(4, 8, 32)], [(64, 30, 128)], True)

PICTURES = [(2, 32, 32, 3)], [(8, 128, 128, 3)]
for title in ("hue", "contrast", "saturation", "brightness"):
    case(
        "adjust_" + title,
        lambda tf, x, t=title: getattr(tf.image, "adjust_" + t)(x, 0.3),
        *PICTURES,
    )
family("image.rgb_to_hsv image.per_image_standardization image.flip_left_right", *PICTURES, False)
for title in ("bilinear", "nearest_neighbor"):
    case(
        "resize_" + title,
        lambda tf, x, t=title: getattr(tf.image, "resize_" + t)(x, [64, 64]),
        *PICTURES,
        True,
    )


def decoding_case(image_format):
    """A case that decodes an image of noise."""

    def build(tf, size):
        with tf.Graph().as_default(), tf.Session() as session:
            picture = ids(256, size, size, 3).astype(np.uint8)
            written = session.run(getattr(tf.image, "encode_" + image_format)(tf.constant(picture)))
        return getattr(tf.image, "decode_" + image_format)(tf.Variable(written))

    case("decode_" + image_format, build, [32], [256])


decoding_case("jpeg")
decoding_case("png")

STRINGS = [texts(100)], [texts(20000)]
family("strings.length strings.lower", *STRINGS, False)
case("string_split", lambda tf, x: tf.string_split(x).values, *STRINGS)
case("regex_replace", lambda tf, x: tf.strings.regex_replace(x, "[aeiou]+", "-"), *STRINGS)
case("regex_full_match", lambda tf, x: tf.strings.regex_full_match(x, "Word .*7"), *STRINGS)
case("substr", lambda tf, x: tf.strings.substr(x, 1, 3), *STRINGS)
case("string_join", lambda tf, x: tf.strings.join([x, x], " "), *STRINGS)
case("hash_fast", lambda tf, x: tf.strings.to_hash_bucket_fast(x, 1000), *STRINGS)
case("hash_strong", lambda tf, x: tf.strings.to_hash_bucket_strong(x, 1000, [3, 5]), *STRINGS)
case("hash", lambda tf, x: tf.strings.to_hash_bucket(x, 1000), *STRINGS)
family("string_to_number", [numerals(100)], [numerals(20000)], False)
family("as_string", [(100,)], [(20000,)], False)
family("decode_raw", [repeated_text(b"12345678", 100), "int32"], [repeated_text(b"12345678" * 16, 1000), "int32"],
       False)  # fmt: skip
case(
    "lookup",
    lambda tf, x: tf.contrib.lookup.index_table_from_tensor(list(words(2000)), 5).lookup(x),
    *STRINGS,
)


BATCH = 128


def lines(count):
    """A file with this many lines of ten numbers."""
    path = os.path.join(tempfile.gettempdir(), f"tfmini_sweep_{os.getpid()}_{count}.csv")
    np.savetxt(path, random().rand(count, 10), "%.5f", ",")
    return path


def batches(name, dataset):
    """A case that reads the next batch of `dataset(tf, rows of 100 floats)`."""

    def build(tf, count):
        following = dataset(tf, int(count)).repeat().batch(BATCH)
        return tf.data.make_one_shot_iterator(following).get_next()

    case("data: " + name, build, [1000], [20000])


def range_dataset(tf, count):
    return tf.data.Dataset.range(count)


batches("range", range_dataset)
batches("map", lambda tf, n: range_dataset(tf, n).map(lambda i: tf.cast(i, tf.float32) * 2.0 + 1.0))
batches(
    "parallel map",
    lambda tf, n: range_dataset(tf, n).map(lambda i: tf.cast(i, tf.float32) * 2.0 + 1.0, 4),
)
batches("filter", lambda tf, n: range_dataset(tf, n).filter(lambda i: i % 2 < 1))
batches("shuffle", lambda tf, n: range_dataset(tf, n).shuffle(1000))
batches("text lines", lambda tf, n: tf.data.TextLineDataset(lines(n)))
batches(
    "CSV",
    lambda tf, n: tf.data.experimental.CsvDataset(lines(n), [0.0] * 10).map(lambda *c: tf.stack(c)),
)
batches("decode_csv", lambda tf, n: tf.data.TextLineDataset(lines(n)).map(
    lambda line: tf.stack(tf.decode_csv(line, [[0.0]] * 10))))  # fmt: skip
