"""TensorFlow 2 and Keras 3 models, exported there with their feeds and results.

usage: python models.py FOLDER [NAME ...]      (a Python with TensorFlow 2; --small: those without large networks)

Writes FOLDER/NAME/model, a SavedModel, and FOLDER/NAME/values.npz: "SIGNATURE/feeds/INPUT", "SIGNATURE/values/OUTPUT".
"""

import os
import sys

import keras_models
import numpy as np
import tensorflow as tf
from keras_models import WORDS, floats, rng

F = tf.float32


def module(instance, **signatures):
    """A tf.Module: the method and the feeds for each signature."""

    def save(folder):
        functions = {key: method for key, (method, _) in signatures.items()}
        tf.saved_model.save(instance, folder, signatures=functions)
        served = tf.saved_model.load(folder).signatures
        return {key: (feeds, served[key]) for key, (_, feeds) in signatures.items()}

    return save


def spec(*shape, dtype=F, name=None):
    return tf.TensorSpec(shape, dtype, name)


class Loops(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(floats(3, 2), name="w")
        self.count = tf.Variable(0, name="count", trainable=False)

    @tf.function(input_signature=[spec(None, 3), spec(dtype=tf.int32)])
    def run(self, x, n):
        y = tf.zeros([tf.shape(x)[0], 2])
        rows = tf.TensorArray(F, size=0, dynamic_size=True)
        for i in tf.range(n):
            if tf.reduce_sum(y) > 4.0:
                y = y * 0.5
            else:
                y = y + tf.matmul(x, self.w) * tf.cast(i, F)
            if i == 5:
                break
            rows = rows.write(i, tf.reduce_mean(y, 0))
        self.count.assign_add(1)
        return {"y": y, "rows": rows.stack(), "count": self.count.read_value()}


def loops():
    m = Loops()
    return module(m, serving_default=(m.run, {"x": floats(2, 3), "n": np.int32(8)}))


class Lookup(tf.Module):
    def __init__(self, folder):
        super().__init__()
        path = os.path.join(folder, "words.txt")
        with open(path, "w", encoding="ascii") as file:
            file.write("cat\ndog\ncow\n")
        whole, line = tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
        start = tf.lookup.TextFileInitializer(path, tf.string, whole, tf.int64, line)
        self.ids = tf.lookup.StaticVocabularyTable(start, 2)
        back = tf.lookup.KeyValueTensorInitializer(
            tf.constant([0, 1], tf.int64), ["tame", "tame too"]
        )
        self.kinds = tf.lookup.StaticHashTable(back, "wild")

    @tf.function(input_signature=[spec(None, dtype=tf.string)])
    def run(self, words):
        ids = self.ids.lookup(words)
        return {"ids": ids, "kinds": self.kinds.lookup(ids)}


def lookup():
    m = Lookup(os.environ["ASSETS"])
    return module(m, serving_default=(m.run, {"words": np.array([b"dog", b"cat", b"gnu", b"cow"])}))


class Ragged(tf.Module):
    @tf.function(
        input_signature=[spec(None, name="values"), spec(None, dtype=tf.int64, name="splits")]
    )
    def run(self, values, splits):
        rows = tf.RaggedTensor.from_row_splits(values, splits)
        twice = tf.concat([rows, rows * 2.0], axis=1)
        return {
            "sums": tf.reduce_sum(rows, 1),
            "dense": twice.to_tensor(-1.0),
            "longest": tf.reduce_max(twice.row_lengths()),
            "mapped": tf.map_fn(lambda row: tf.reduce_prod(row + 1.0), rows, fn_output_signature=F),
        }


def ragged():
    m = Ragged()
    feeds = {"values": floats(6), "splits": np.array([0, 2, 2, 6])}
    return module(m, serving_default=(m.run, feeds))


class Signatures(tf.Module):
    def __init__(self):
        super().__init__("several")
        self.slope = tf.Variable(3.0)
        self.parts = [tf.Variable([1.0, 2.0]), tf.Variable([[5, 6]], dtype=tf.int64)]

    @tf.function(input_signature=[spec(None)])
    def scale(self, x):
        return {"y": self.slope * x}

    @tf.function(input_signature=[spec(None, 2), spec(2)])
    def shift(self, rows, by):
        return {"moved": rows + by + self.parts[0], "part": self.parts[1] * 2}

    @tf.function(jit_compile=True, input_signature=[spec(None)])
    def compiled(self, x):
        return {"z": tf.exp(x) - self.slope}


def signatures():
    m = Signatures()
    return module(
        m,
        serving_default=(m.scale, {"x": floats(3)}),
        shift=(m.shift, {"rows": floats(3, 2), "by": floats(2)}),
        compiled=(m.compiled, {"x": floats(2)}),
    )


class Matrices(tf.Module):
    @tf.function(input_signature=[spec(None, 3, 3), spec(None, 3)])
    def run(self, a, d):
        symmetric = tf.matmul(a, a, transpose_b=True) + tf.eye(3)
        return {
            "einsum": tf.einsum("bij,bj->bi", a, d),
            "ellipsis": tf.einsum("...ij,...jk->...ik", a, symmetric),
            "diagonal": tf.linalg.diag(d, k=1, align="LEFT_RIGHT", padding_value=7.0),
            "part": tf.linalg.diag_part(a, k=(-1, 1)),
            "set": tf.linalg.set_diag(a, d),
            "band": tf.linalg.band_part(a, 1, 0),
            "cholesky": tf.linalg.cholesky(symmetric),
            "solved": tf.linalg.solve(symmetric, d[..., None]),
            "values": tf.linalg.eigvalsh(symmetric),
            "norm": tf.norm(a, axis=[1, 2]),
            "gathered": tf.gather(a, [[2, 0]], axis=1, batch_dims=0),
            "chosen": tf.where(d > 0, d, tf.zeros_like(d)),
            "top": tf.math.top_k(d, 2).indices,
            "sum": tf.cumsum(d, 1, reverse=True),
            "any": tf.reduce_any(a > 1.0, [1, 2]),
            "norms": tf.clip_by_norm(a, 1.0),
            "fill": tf.broadcast_to(d[:1], [2, 3]),
        }


def matrices():
    m = Matrices()
    return module(m, serving_default=(m.run, {"a": floats(2, 3, 3), "d": floats(2, 3)}))


class Strings(tf.Module):
    @tf.function(input_signature=[spec(None, dtype=tf.string)])
    def run(self, lines):
        parts = tf.strings.split(lines)
        return {
            "upper": tf.strings.upper(lines),
            "words": parts.to_tensor(""),
            "count": parts.row_lengths(),
            "joined": tf.strings.reduce_join(parts, axis=-1, separator="-"),
            "swapped": tf.strings.regex_replace(lines, "(c)(at)", r"\2\1"),
            "whole": tf.strings.regex_full_match(lines, ".*cat.*"),
            "head": tf.strings.substr(lines, 0, 3),
            "text": tf.strings.format("{} lines, first {}", [tf.size(lines), lines[0]]),
            "numbers": tf.strings.as_string(tf.constant([1.5, -2.0]), precision=2),
            "bucket": tf.strings.to_hash_bucket_fast(lines, 10),
            "strong": tf.strings.to_hash_bucket_strong(lines, 100, [1, 2]),
            "points": tf.strings.unicode_decode(lines, "UTF-8").to_tensor(),
            "length": tf.strings.length(lines, "UTF8_CHAR"),
            "grams": tf.strings.ngrams(parts, 2).to_tensor(),
            "lower": tf.strings.lower(lines, encoding="utf-8"),
            "read": tf.strings.to_number(["3", "4.5"]),
        }


def strings():
    m = Strings()
    return module(m, serving_default=(m.run, {"lines": np.array([*WORDS, "Ärger cat".encode()])}))


class Images(tf.Module):
    @tf.function(input_signature=[spec(dtype=tf.string)])
    def run(self, png):
        image = tf.image.decode_image(png, channels=3, expand_animations=False)
        image = tf.image.convert_image_dtype(image, F)
        image = tf.ensure_shape(image, [None, None, 3])
        return {
            "small": tf.image.resize(image, [5, 7]),
            "smooth": tf.image.resize(image, [5, 7], antialias=True),
            "cubic": tf.image.resize(image, [13, 9], method="bicubic"),
            "nearest": tf.image.resize(image, [4, 4], method="nearest"),
            "padded": tf.image.resize_with_pad(image, 12, 20),
            "crop": tf.image.central_crop(image, 0.5),
            "hue": tf.image.adjust_hue(image, 0.1),
            "contrast": tf.image.adjust_contrast(image, 0.7),
            "grey": tf.image.rgb_to_grayscale(image),
            "white": tf.image.per_image_standardization(image),
            "boxes": tf.image.crop_and_resize(image[None], [[0.1, 0.2, 0.9, 0.8]], [0], [4, 4]),
            "nms": tf.image.combined_non_max_suppression(
                tf.constant([[[[0.0, 0, 1, 1]], [[0, 0, 1, 0.9]], [[0.5, 0.5, 0.6, 0.6]]]]),
                tf.constant([[[0.9], [0.8], [0.7]]]), 3, 3,
            ).nmsed_scores,
        }  # fmt: skip


def images():
    m = Images()
    picture = tf.io.encode_png(rng.integers(0, 256, (9, 11, 3), "u1")).numpy()
    return module(m, serving_default=(m.run, {"png": np.array(picture)}))


class Mapped(tf.Module):
    @tf.function(input_signature=[spec(None, 4)])
    def run(self, x):
        lists = tf.TensorArray(F, size=3, infer_shape=False, element_shape=[None])
        for i in range(3):
            lists = lists.write(i, x[0, : i + 1])
        case = tf.switch_case(tf.shape(x)[0] % 3, [lambda: x, lambda: -x, lambda: x * 10.0])
        return {
            "mapped": tf.map_fn(lambda row: tf.reduce_sum(row) * row, x),
            "scanned": tf.scan(lambda a, b: a + b, x),
            "folded": tf.foldl(lambda a, b: a * 0.5 + b, x),
            "vectorized": tf.vectorized_map(lambda row: tf.matmul(row[None], row[:, None]), x),
            "concatenated": lists.concat(),
            "case": case,
            "looped": tf.while_loop(
                lambda i, v: i < 4, lambda i, v: (i + 1, tf.concat([v, v[:1]], 0)), [0, x[0]],
                shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])],
            )[1],
        }  # fmt: skip


def mapped():
    m = Mapped()
    return module(m, serving_default=(m.run, {"x": floats(4, 4)}))


class Examples(tf.Module):
    @tf.function(input_signature=[spec(None, dtype=tf.string)])
    def run(self, serialized):
        wanted = {
            "age": tf.io.FixedLenFeature([2], tf.int64, [0, 0]),
            "tags": tf.io.VarLenFeature(tf.string),
            "rows": tf.io.RaggedFeature(tf.float32),
        }
        found = tf.io.parse_example(serialized, wanted)
        return {
            "age": found["age"],
            "tags": tf.sparse.to_dense(found["tags"], ""),
            "rows": found["rows"].to_tensor(-1.0),
            "product": tf.sparse.sparse_dense_matmul(
                tf.sparse.from_dense(found["rows"].to_tensor()), tf.ones([2, 2])
            ),
        }


def examples():
    def example(tags, rows, **more):
        each = {
            "tags": tf.train.Feature(bytes_list=tf.train.BytesList(value=tags)),
            "rows": tf.train.Feature(float_list=tf.train.FloatList(value=rows)),
            **{
                k: tf.train.Feature(int64_list=tf.train.Int64List(value=v)) for k, v in more.items()
            },
        }
        return tf.train.Example(features=tf.train.Features(feature=each)).SerializeToString()

    m = Examples()
    fed = [example([b"a", b"b"], [1.0, 2.0]), example([], [3.0], age=[7, 8])]
    return module(m, serving_default=(m.run, {"serialized": np.array(fed, object)}))


class Numbers(tf.Module):
    """Stateless random numbers, mixed dtypes, functions with custom gradients."""

    @tf.function(input_signature=[spec(None), spec(2, dtype=tf.int32)])
    def run(self, x, seed):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.nn.silu(x) * tf.math.softplus(x))
        half = tf.cast(x, tf.bfloat16)
        return {
            "uniform": tf.random.stateless_uniform([3], seed),
            "normal": tf.random.stateless_normal([3], seed),
            "integers": tf.random.stateless_uniform([4], seed, 0, 100, tf.int32),
            "gradient": tape.gradient(y, x),
            "half": tf.cast(half * 2 + 1, F),
            "float16": tf.cast(tf.nn.relu(tf.cast(x, tf.float16)) * 3, F),
            "bins": tf.math.bincount(tf.constant([1, 1, 3]), minlength=5),
            "histogram": tf.searchsorted([0.0, 1.0], x),
            "unique": tf.unique(tf.constant([3, 1, 3, 2])).y,
            "erf": tf.math.erfinv(tf.math.tanh(x) * 0.5),
            "segment": tf.math.unsorted_segment_mean(x, tf.zeros_like(x, tf.int32), 2),
            "one_hot": tf.one_hot([0, 2], 3),
            "complex": tf.abs(tf.signal.rfft(x)),
            "nan": tf.math.divide_no_nan(x, 0.0),
            "shifted": tf.roll(x, 1, 0),
            "tensor": tf.tensor_scatter_nd_update(tf.zeros([3]), [[1]], [4.0]),
            "max": tf.tensor_scatter_nd_max(tf.zeros([3]), [[1]], [4.0]),
        }


def numbers():
    m = Numbers()
    return module(m, serving_default=(m.run, {"x": floats(4), "seed": np.array([4, 2], "i")}))


class Batches(tf.Module):
    """Gathers with batch dimensions, also from variables; masks, sequences."""

    def __init__(self):
        super().__init__()
        self.rows = tf.Variable(floats(2, 4, 3))

    @tf.function(input_signature=[spec(2, None, dtype=tf.int32)])
    def run(self, at):
        return {
            "gathered": tf.gather(self.rows, at, batch_dims=1),
            "nested": tf.gather_nd(self.rows, at[..., None], batch_dims=1),
            "mask": tf.sequence_mask(at[0], 5),
            "kept": tf.boolean_mask(self.rows[0], [True, False, True, True]),
            "embedded": tf.nn.embedding_lookup(self.rows[0], at),
            "padded": tf.pad(at, [[0, 1], [1, 0]], constant_values=9),
            "argmax": tf.argmax(self.rows, -1),
            "decoded": tf.nn.ctc_greedy_decoder(self.rows, [2, 2, 1, 1])[1],
            "moments": tf.nn.moments(self.rows, [0])[1],
            "sliced": self.rows[:, ::2, -1],
            "sorted": tf.sort(self.rows, direction="DESCENDING"),
            "loss": tf.nn.sparse_softmax_cross_entropy_with_logits(at[:, :2] % 3, self.rows[:, :2]),
        }


def batches():
    m = Batches()
    return module(m, serving_default=(m.run, {"at": np.array([[0, 3, 1], [2, 2, 0]], "i")}))


MODELS = [
    *keras_models.MODELS,
    loops, lookup, ragged, signatures, matrices, strings, images, mapped, examples, numbers, batches,
]  # fmt: skip


def plain(value):
    """A value as stored by npz without pickles; bytes get a trailing letter, since npz drops NULs."""
    value = np.asarray(value)
    if value.dtype == object or value.dtype.kind == "S":
        return np.array([bytes(each) + b"." for each in value.ravel().tolist()]).reshape(
            value.shape
        )
    return value


def write(folder, make):
    tf.keras.utils.set_random_seed(31)
    here = os.path.join(folder, make.__name__)
    os.makedirs(here, exist_ok=True)
    os.environ["ASSETS"] = here
    runs = make()(os.path.join(here, "model"))
    found = {}
    for signature, (feeds, served) in runs.items():
        given = {
            key: tf.constant(value.tolist() if value.dtype == object else value)
            for key, value in feeds.items()
        }
        for key, value in feeds.items():
            found[f"{signature}/feeds/{key}"] = plain(value)
        for key, value in served(**given).items():
            found[f"{signature}/values/{key}"] = plain(value.numpy())
    np.savez(os.path.join(here, "values.npz"), **found)


if __name__ == "__main__":
    names = sys.argv[2:]
    if names == ["--small"]:
        names = [each.__name__ for each in MODELS if each not in keras_models.LARGE]
    for each in MODELS:
        if not names or each.__name__ in names:
            write(sys.argv[1], each)
