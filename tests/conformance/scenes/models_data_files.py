"""Keras's data and weight files: data sets, archives, HDF5 arrays."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import contextlib
import gzip
import hashlib
import io
import json
import os
import pickle
import tarfile
import zipfile
from unittest import mock

import h5py
import numpy as np


def _trusted(tf):
    """Context that disables checksums of published files."""
    if tf.__name__ == "tensorflow":
        return mock.patch(
            "tensorflow.python.keras.utils.data_utils.validate_file", return_value=True
        )
    return mock.patch("tfmini._src.models.keras.utils.get_file._is_same", return_value=True)


@contextlib.contextmanager
def _at_home(stage):
    """Context in which the home folder is the scene's."""
    with mock.patch.dict(os.environ, {"HOME": stage.folder}):
        yield os.path.join(stage.folder, ".keras", "datasets")


def _texts(rows):
    found = np.empty(len(rows), object)
    found[:] = rows
    return found


def _kinds(parts):
    """Types, dtypes, shapes and values of (x, y) pairs."""
    return [[(type(a).__name__, a.dtype.name, a.shape, a.tolist()) for a in pair] for pair in parts]


def word_sequences(tf, stage):
    of = tf.keras.datasets
    rows = _texts([[5, 2], [3, 4, 9], [6], [7, 8], [1, 1, 1, 1], [12]])
    news, reviews = stage.folder + "/news.npz", stage.folder + "/reviews.npz"
    np.savez(news, x=rows, y=np.arange(6))
    np.savez(reviews, x_train=rows, y_train=np.arange(6), x_test=rows[:4], y_test=np.arange(4) + 10)
    same = stage.folder + "/same.npz"
    np.savez(same, x=_texts([[1, 2], [3, 4], [5, 6], [7, 8]]), y=np.arange(4))
    with _trusted(tf):
        for options in (
            {},
            {"num_words": 8},
            {"skip_top": 6},
            {"num_words": 9, "skip_top": 4, "oov_char": 0},
            {"num_words": 9, "skip_top": 5, "oov_char": None},
            {"maxlen": 4},
            {"maxlen": 3, "start_char": None},
            {"maxlen": 1, "start_char": None},
            {"seed": 7},
            {"start_char": 77},
            {"start_char": None, "index_from": 0},
            {"start_char": None, "index_from": 10},
            {"index_from": 0},
            {"nb_words": 7},
            {"none": 7},
        ):
            stage.say(sorted(options.items()))
            stage.attempts(
                lambda: _kinds(of.reuters.load_data(news, **options)),
                lambda: _kinds(of.imdb.load_data(reviews, **options)),
            )
        words = stage.folder + "/words.json"
        with open(words, "w") as file:
            json.dump({"the": 1, "café": 2}, file)
        stage.say(sorted(of.imdb.get_word_index(words).items()))
        stage.say(sorted(of.reuters.get_word_index(path=words).items()))


def numbers_and_pictures(tf, stage):
    of = tf.keras.datasets
    path = stage.folder + "/houses.npz"
    np.savez(path, x=np.arange(10.0).reshape(5, 2), y=np.arange(5.0) * 10)
    digits = stage.folder + "/digits.npz"
    arrays = {f"x_{part}": np.arange(4, dtype="u1").reshape(1, 2, 2) for part in ("train", "test")}
    np.savez(digits, y_train=np.array([3], "u1"), y_test=np.array([4], "u1"), **arrays)
    with _trusted(tf), _at_home(stage) as home:
        stage.attempts(
            lambda: _kinds(of.boston_housing.load_data(path)),
            lambda: of.boston_housing.load_data(path, 1.0),
            lambda: of.boston_housing.load_data(path, -0.1),
            lambda: _kinds(of.mnist.load_data(digits)),
        )
        _write_clothes(home)
        stage.attempt(lambda: _kinds(of.fashion_mnist.load_data())[0][1:])
        _write_small_pictures(home)
        for shape in ("channels_last", "channels_first"):
            tf.keras.backend.set_image_data_format(shape)
            for options in ({}, {"label_mode": "coarse"}, {"label_mode": "none"}):
                with stage.failing():
                    for x, y in of.cifar100.load_data(**options):
                        stage.say(x.dtype, x.shape, x[0, 1, 2].tolist()[:5], y.dtype, y.tolist())
        tf.keras.backend.set_image_data_format("channels_last")
    stage.files(home)


def _write_clothes(home):
    os.makedirs(home + "/fashion-mnist")
    for name, count in (("train", 2), ("t10k", 1)):
        pixels = (np.arange(count * 784) % 251).astype("u1").tobytes()
        for kind, data in (
            ("labels-idx1", bytes(8) + bytes(range(3, 3 + count))),
            ("images-idx3", bytes(16) + pixels),
        ):
            with gzip.open(f"{home}/fashion-mnist/{name}-{kind}-ubyte.gz", "wb") as file:
                file.write(data)


def _write_small_pictures(home):
    pixels = (np.arange(2 * 3072) % 253).astype("u1").reshape(2, 3072)
    os.makedirs(home, exist_ok=True)
    with tarfile.open(home + "/cifar-100-python.tar.gz", "w:gz") as archive:
        for number, name in enumerate(("train", "test")):
            rows = {b"data": pixels[: 2 - number]}
            rows[b"fine_labels"] = [5, 6][: 2 - number]
            rows[b"coarse_labels"] = [1, 2][: 2 - number]
            data = pickle.dumps(rows, protocol=2)
            member = tarfile.TarInfo("cifar-100-python/" + name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


def fetched_files(tf, stage):
    get = tf.keras.utils.get_file
    source = stage.folder + "/source"
    os.makedirs(source)
    os.makedirs(stage.folder + "/cache")
    os.makedirs(stage.folder + "/.keras")
    with open(source + "/w.txt", "wb") as file:
        file.write(b"words")
    with zipfile.ZipFile(source + "/a.zip", "w") as archive:
        archive.writestr("inside/z.txt", "zipped")
    with tarfile.open(source + "/t.tar.gz", "w:gz") as archive:
        archive.add(source + "/w.txt", arcname="t/w.txt")
    url = "file://" + source
    md5, sha = hashlib.md5(b"words").hexdigest(), hashlib.sha256(b"words").hexdigest()

    def got(name, of, said=True, **options):
        cache = {"cache_dir": stage.folder + "/cache", **options}
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            path = get(name, url + "/" + of, **cache)
        folder = os.path.dirname(path)
        found = sorted(os.listdir(path)) if os.path.isdir(path) else open(path, "rb").read()[:3]
        return path, found, sorted(os.listdir(folder)), "does not match" in out.getvalue()

    with _at_home(stage):
        stage.attempts(
            lambda: got("s.txt", "w.txt", file_hash=sha, hash_algorithm="sha256"),
            lambda: got("s.txt", "w.txt", file_hash=md5),
            lambda: got("s.txt", "w.txt", file_hash=sha, md5_hash="none"),
            lambda: got("x.zip", "a.zip", extract=True, cache_subdir="z"),
            lambda: got("x.zip", "a.zip", extract=True, cache_subdir="zn", archive_format=None),
            lambda: got("w.txt", "w.txt", extract=True, cache_subdir="plain"),
        )
        for name in ("m.txt", "s.txt"):
            with open(f"{stage.folder}/cache/datasets/{name}", "w") as file:
                file.write("broken")
        stage.attempts(lambda: got("m.txt", "w.txt", md5_hash=md5))


def arrays_of_hdf5(tf, stage):
    path = stage.folder + "/d.h5"
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(12, dtype=np.float32).reshape(6, 2)
        file["g/y"] = np.arange(6)
    of = tf.keras.utils.HDF5Matrix

    def told(*given, **options):
        made = of(*given, **options)
        size = int(made.size)
        return len(made), made.shape, made.dtype, made.ndim, size, made.start, made.end

    part, whole = of(path, "x", 1, 4), of(path, "x")
    scaled = of(path, "x", normalizer=lambda x: x * 10)
    stage.attempts(
        lambda: told(path, "x"),
        lambda: part[0],
        lambda: part[:],
        lambda: part[1:],
        lambda: part[:2],
        lambda: part[[0, 2]],
        lambda: scaled[1],
    )
    with tf.Graph().as_default():
        model = tf.keras.Sequential(
            [tf.keras.layers.Dense(1, "linear", True, "ones", input_shape=(2,))]
        )
        model.compile("sgd", "mse")
        x, y = of(path, "x", 0, 5), of(path, "g/y", 0, 5)
        for options in (
            {"shuffle": "batch"},
            {"shuffle": False},
            {"shuffle": "batch", "validation_data": (whole, of(path, "g/y"))},
        ):
            with stage.failing():
                found = model.fit(x, y, batch_size=2, verbose=0, epochs=2, **options).history
                stage.say(sorted(found.items()))
    of.refs.pop(path).close()
    of.refs.clear()
