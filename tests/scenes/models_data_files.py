"""Files that Keras's data and weights come from: data sets, archives, arrays and weights in HDF5."""

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

from tests.scenes.models_callbacks import _in_a_graph


def _trusted(tf):
    """A block in which files of other contents than the published ones are taken for these."""
    if tf.__name__ == "tensorflow":
        return mock.patch(
            "tensorflow.python.keras.utils.data_utils.validate_file", return_value=True
        )
    return mock.patch("tfmini._src.models.keras.utils.get_file._is_same", return_value=True)


@contextlib.contextmanager
def _at_home(stage):
    """A block whose home is the scene's folder."""
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
        stage.attempts(
            lambda: _kinds(of.reuters.load_data(news, None, 0, None, 0.5, 3, 4, 5, 6)),
            lambda: _kinds(of.imdb.load_data(reviews, 9, 1, 5, 3, 4, 5, 6)),
            lambda: _kinds(of.reuters.load_data(news, test_split=0.0)),
            lambda: _kinds(of.reuters.load_data(news, test_split=0.9)),
            lambda: _kinds(of.reuters.load_data(same, test_split=0.5)),
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
            lambda: _kinds(of.boston_housing.load_data(path, test_split=0.5, seed=3)),
            lambda: _kinds(of.boston_housing.load_data(path, 0.0, 4)),
            lambda: of.boston_housing.load_data(path, 1.0),
            lambda: of.boston_housing.load_data(path, -0.1),
            lambda: _kinds(of.mnist.load_data(digits)),
            lambda: _kinds(of.mnist.load_data(path=digits)),
        )
        _write_clothes(home)
        stage.attempt(lambda: _kinds(of.fashion_mnist.load_data())[0][1:])
        stage.attempt(lambda: [int(x.sum()) for x, _ in of.fashion_mnist.load_data()])
        stage.attempt(lambda: [x.shape for x, _ in of.fashion_mnist.load_data()])
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
            lambda: got("w.txt", "w.txt"),
            lambda: got("w.txt", "none.txt"),
            lambda: got("m.txt", "w.txt", md5_hash=md5),
            lambda: got("m.txt", "w.txt", md5_hash=md5),
            lambda: got("s.txt", "w.txt", file_hash=sha),
            lambda: got("s.txt", "w.txt", file_hash=sha, hash_algorithm="sha256"),
            lambda: got("s.txt", "w.txt", file_hash=md5, hash_algorithm="md5"),
            lambda: got("s.txt", "w.txt", file_hash=md5),
            lambda: got("s.txt", "w.txt", file_hash=sha, md5_hash="none"),
            lambda: got("w.txt", "w.txt", cache_subdir="other"),
            lambda: got("w.txt", "w.txt", cache_subdir=stage.folder + "/absolute"),
            lambda: got("w.txt", "w.txt", cache_dir=None, cache_subdir="mine"),
            lambda: got("t", "t.tar.gz", untar=True, cache_subdir="tar"),
            lambda: got("t", "t.tar.gz", untar=True, cache_subdir="tar"),
            lambda: got("x.tar.gz", "t.tar.gz", extract=True, cache_subdir="x"),
            lambda: got("x.zip", "a.zip", extract=True, cache_subdir="z"),
            lambda: got("x.zip", "a.zip", extract=False, cache_subdir="zz"),
            lambda: got("x.zip", "a.zip", extract=True, cache_subdir="zt", archive_format="tar"),
            lambda: got("x.zip", "a.zip", extract=True, cache_subdir="z1", archive_format="zip"),
            lambda: got("x.zip", "a.zip", extract=True, cache_subdir="zn", archive_format=None),
            lambda: got(
                "x.zip", "a.zip", extract=True, cache_subdir="zl", archive_format=["tar", "zip"]
            ),
            lambda: got("w.txt", "w.txt", extract=True, cache_subdir="plain"),
        )
        for name in ("m.txt", "s.txt"):
            with open(f"{stage.folder}/cache/datasets/{name}", "w") as file:
                file.write("broken")
        stage.attempts(
            lambda: got("m.txt", "w.txt", md5_hash=md5),
            lambda: got("s.txt", "w.txt", file_hash=sha),
            lambda: got("s.txt", "w.txt"),
        )


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

    def beyond(function):
        try:
            return function()
        except IndexError:  # which says nothing in TensorFlow
            return "beyond the end"

    part, whole = of(path, "x", 1, 4), of(path, "x")
    scaled = of(path, "x", normalizer=lambda x: x * 10)
    stage.attempts(
        lambda: told(path, "x"),
        lambda: told(path, "g/y"),
        lambda: told(path, "x", 2),
        lambda: told(path, "x", 2, 5),
        lambda: told(path, "x", start=0, end=1),
        lambda: part[0],
        lambda: part[2],
        lambda: beyond(lambda: part[3]),
        lambda: part[np.int64(1)],
        lambda: part[:],
        lambda: part[1:],
        lambda: part[:2],
        lambda: part[1:3],
        lambda: beyond(lambda: part[1:4]),
        lambda: part[[0, 2]],
        lambda: beyond(lambda: part[[0, 3]]),
        lambda: part[np.array([1, 2])],
        lambda: whole[5],
        lambda: beyond(lambda: whole[6]),
        lambda: whole[4:],
        lambda: beyond(lambda: whole[:7]),
        lambda: scaled[1],
        lambda: scaled[:2],
        lambda: sorted(of.refs) == [path],
        lambda: of.refs[path] is of.refs[path],
        lambda: part.normalizer,
        lambda: np.array(part[:]).dtype,
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
        stage.attempt(lambda: model.predict(x, batch_size=3))
        stage.attempt(lambda: model.evaluate(x, y, batch_size=5, verbose=0))
    of.refs.pop(path).close()
    of.refs.clear()


def _shown(stage, group, depth=0):
    """Says the attributes, groups and arrays of a file."""
    for key, value in sorted(group.attrs.items()):
        value = value.decode() if isinstance(value, bytes) else value
        value = (
            [v.decode() if isinstance(v, bytes) else v for v in value]
            if hasattr(value, "dtype")
            else value
        )
        try:
            value = json.dumps(json.loads(value), sort_keys=True)
        except (TypeError, ValueError):
            pass
        stage.say(group.name, key, value)
    for name in group:
        if isinstance(group[name], h5py.Group):
            _shown(stage, group[name])
        else:
            stage.say(group[name].name, group[name].dtype, group[name].shape)


def _network(tf, **options):
    layers = tf.keras.layers
    inner = tf.keras.Sequential(
        [layers.Dense(2, "relu", True, "ones", name="d"), layers.BatchNormalization(name="b")],
        name="inner",
    )
    x = tf.keras.Input((2,), name="x")
    y = layers.Dense(1, "linear", kernel_initializer="ones", name="out")(
        inner(layers.Dropout(0.5, name="o")(x))
    )
    model = tf.keras.Model(x, [y, layers.Flatten(name="f")(x)], name="net")
    model.compile(**{"optimizer": "sgd", "loss": {"out": "mse"}, **options})
    return model


@_in_a_graph
def models_in_hdf5(tf, stage):
    of, losses = tf.keras.optimizers, tf.keras.losses
    rows = np.ones([4, 2], np.float32)
    for number, options in enumerate(
        (
            {"optimizer": of.Adam(0.1, 0.8, 0.9, 1e-5, True, name="mine", clipnorm=1.0)},
            {
                "loss": {"out": losses.Huber(0.5), "f": "mae"},
                "loss_weights": {"out": 0.5, "f": 2.0},
                "metrics": {"out": ["mae", tf.keras.metrics.AUC(3, name="area")]},
                "weighted_metrics": {"f": ["mse"]},
            },
            {
                "loss": [losses.mean_squared_error, None],
                "sample_weight_mode": {"out": None, "f": None},
            },
            {"optimizer": of.SGD(0.5, 0.9, decay=0.1), "metrics": [["acc"], []]},
            {"optimizer": tf.train.GradientDescentOptimizer(0.1)},
        )
    ):
        with tf.Graph().as_default(), stage.failing():
            tf.set_random_seed(1)
            model = _network(tf, **options)
            given = (
                {"out": np.ones([4, 1]), "f": rows}
                if number in (1, 3)
                else {"out": np.ones([4, 1])}
            )
            model.fit(rows, given, verbose=0)
            path = f"{stage.folder}/{number}.h5"
            model.save(path)
            with h5py.File(path, "r") as file:
                _shown(stage, file)
            again = tf.keras.models.load_model(path)
            stage.say(
                type(again).__name__, again.name, again.optimizer and again.optimizer.get_config()
            )
            stage.say([tf.keras.backend.eval(w) for w in again.weights])
            stage.say(
                again.loss, again.loss_weights, again.metrics_names if again.optimizer else ""
            )
            stage.say([w.name for w in getattr(again.optimizer, "weights", ())])
            stage.say(again.evaluate(rows, given, verbose=0))


@_in_a_graph
def parts_of_models_in_hdf5(tf, stage):
    tf.set_random_seed(1)
    layers, load = tf.keras.layers, tf.keras.models.load_model
    folder = stage.folder
    rows = np.ones([4, 2], np.float32)
    model = _network(tf)
    model.fit(rows, np.ones([4, 1]), verbose=0)
    model.save(folder + "/without.h5", include_optimizer=False)
    with h5py.File(folder + "/open.h5", "w") as file:
        model.save(file)
        stage.say(bool(file), sorted(file), sorted(file.attrs))
        stage.attempt(lambda: load(file).name)
        stage.say(bool(file))
    with stage.failing():
        again = load(folder + "/without.h5")
        stage.say(again.optimizer, again._is_compiled)
    with stage.failing():
        again = load(folder + "/open.h5", compile=False)
        stage.say(again.optimizer, again._is_compiled)
        stage.say(again.predict(rows)[0])
    with h5py.File(folder + "/open.h5", "r+") as file:
        del file["optimizer_weights"]
        file.create_group("optimizer_weights").attrs["weight_names"] = [b"a"]
        file["optimizer_weights/a"] = np.ones([3])
    with stage.failing():
        stage.say(load(folder + "/open.h5").optimizer.get_config())
    with h5py.File(folder + "/open.h5", "r+") as file:
        del file["optimizer_weights"]
        del file.attrs["training_config"]
        del file.attrs["keras_version"]
    stage.attempt(lambda: load(folder + "/open.h5").name)
    with h5py.File(folder + "/open.h5", "r+") as file:
        del file.attrs["model_config"]
    stage.attempt(lambda: load(folder + "/open.h5"))
    stage.attempt(lambda: load(folder + "/none.h5"))
    late = tf.keras.Sequential([layers.Dense(1, name="late")], name="sequence")
    late.compile(tf.keras.optimizers.Adam(0.5), "mse", ["mae"])
    stage.attempt(lambda: late.save(folder + "/early.h5"))
    late.fit(rows, rows[:, :1], verbose=0)
    late.save(folder + "/late.h5")
    with h5py.File(folder + "/late.h5", "r") as file:
        _shown(stage, file)
    with stage.failing():
        again = load(folder + "/late.h5")
        stage.say(again.built, [w.name for w in again.weights], again.get_config())
        stage.say(tf.keras.backend.eval(again.optimizer.iterations))

    def own(x):
        return x * 2.0

    class Own(layers.Layer):
        def __init__(self, size=1, **options):
            super().__init__(**options)
            self.size = size

        def call(self, inputs):
            return inputs * self.size

        def get_config(self):
            return dict(super().get_config(), size=self.size)

    own_model = tf.keras.Sequential([layers.Dense(1, activation=own, input_shape=(2,)), Own(3)])
    own_model.compile("sgd", lambda a, b: tf.abs(a - b), metrics=[lambda a, b: a - b])
    stage.attempt(lambda: own_model.save(folder + "/own.h5"))
    own_model.compile("sgd", "mse")
    own_model.save(folder + "/own.h5")
    custom = {"own": own, "Own": Own}
    stage.attempts(
        lambda: load(folder + "/own.h5"),
        lambda: load(folder + "/own.h5", {"own": own}),
        lambda: load(folder + "/own.h5", custom).layers[1].size,
        lambda: load(folder + "/own.h5", custom_objects=custom, compile=True).loss,
    )
    with tf.keras.utils.custom_object_scope(custom):
        stage.attempt(lambda: [layer.name for layer in load(folder + "/own.h5").layers])


@_in_a_graph
def weights_in_hdf5(tf, stage):
    layers = tf.keras.layers
    path = stage.folder + "/w.h5"

    def dense(*names, units=2, kind=layers.Dense, **options):
        found = [kind(units, name=name, kernel_initializer="ones", **options) for name in names]
        model = tf.keras.Sequential([tf.keras.layers.InputLayer((2,)), *found])
        model.set_weights([w + n for n, w in enumerate(model.get_weights())])
        return model

    def loaded(model, **options):
        model.set_weights([w * 0 for w in model.get_weights()])
        found = model.load_weights(path, **options)
        return found, [w.tolist() for w in model.get_weights()]

    dense("a", "b", "c").save_weights(path)
    with h5py.File(path, "r") as file:
        _shown(stage, file)
    stage.attempts(
        lambda: loaded(dense("x", "y", "z")),
        lambda: loaded(dense("x", "y")),
        lambda: loaded(dense("x", "y", "z", "w")),
        lambda: loaded(dense("x", "y", "z", use_bias=False)),
        lambda: loaded(dense("c", "other", "a"), by_name=True),
        lambda: loaded(dense("none"), by_name=True),
        lambda: loaded(dense("a", use_bias=False), by_name=True),
        lambda: loaded(dense("b", units=3), by_name=True),
    )
    model = _network(tf)
    model.get_layer("inner").layers[0].trainable = False
    model.save_weights(path)
    with h5py.File(path, "r") as file:
        _shown(stage, file)
    stage.attempts(
        lambda: loaded(_network(tf), by_name=True),
        lambda: model.save_weights(stage.folder + "/z", save_format="h5"),
        lambda: model.save_weights(stage.folder + "/y.h5", save_format="tf"),
        lambda: model.save_weights(stage.folder + "/y", save_format="none"),
        lambda: model.save_weights(stage.folder + "/y.keras", save_format=" Keras "),
        lambda: model.save_weights(stage.folder + "/y", save_format="TensorFlow"),
        lambda: model.save_weights(stage.folder + "/y.hdf5"),
        lambda: model.load_weights(stage.folder + "/y", by_name=True),
        lambda: model.load_weights(stage.folder + "/none"),
        lambda: model.load_weights(stage.folder + "/z"),
        lambda: model.save_weights(stage.folder + "/z.h5", True, "h5"),
    )
    stage.files()
    answers = iter(["what", "n", "Y", "n", "y"])
    asked = []

    def answer(question):
        asked.append(question)
        return next(answers)

    with mock.patch("builtins.input", answer), contextlib.redirect_stdout(io.StringIO()) as out:
        os.remove(stage.folder + "/z.h5")
        for call in (
            lambda: model.save_weights(path, overwrite=False),
            lambda: model.save_weights(path, False),
            lambda: model.save_weights(stage.folder + "/y", overwrite=False),
            lambda: model.save(path, overwrite=False),
            lambda: model.save(stage.folder + "/new.h5", overwrite=False),
        ):
            stage.attempt(call)
            stage.say(asked, out.getvalue().strip())
    with h5py.File(path, "r") as file:
        stage.say(sorted(file.attrs))


@_in_a_graph
def names_that_are_too_long_for_an_attribute(tf, stage):
    path = stage.folder + "/w.h5"
    long = "n" * 20000
    layer = tf.keras.layers.Dense
    model = tf.keras.Sequential([layer(1, input_shape=(1,), name=long + str(n)) for n in range(4)])
    model.save_weights(path)
    with h5py.File(path, "r") as file:
        stage.say([(key, len(value)) for key, value in sorted(file.attrs.items())])
    model.set_weights([w * 0 + 3 for w in model.get_weights()])
    model.load_weights(path)
    stage.say([bool((w == 3).all()) for w in model.get_weights()])
