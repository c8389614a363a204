"""Prebuilt image models: input preprocessing, class names, rejected arguments, and small models of each kind."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import contextlib
import json
import os
import zlib
from unittest import mock

import numpy as np

from tests.conformance.scenes import in_own_graph
from tests.conformance.scenes.models_data_files import _at_home, _trusted

_FAMILIES = (
    "densenet",
    "inception_resnet_v2",
    "inception_v3",
    "mobilenet",
    "mobilenet_v2",
    "nasnet",
    "resnet",
    "resnet50",
    "resnet_v2",
    "vgg16",
    "vgg19",
    "xception",
)


@in_own_graph
def images_as_models_expect_them(tf, stage):
    image = np.array([[[0, 100, 255], [7, 8, 9]]], np.uint8)
    for name in _FAMILIES:
        of = getattr(tf.keras.applications, name).preprocess_input
        stage.say(name)
        for x in (
            image,
            image[None],
            image.astype(np.float64),
            image.astype(np.float16),
            image.astype(np.int64),
        ):
            stage.attempt(lambda: of(x.copy()))
        stage.attempt(lambda: of(image.copy(), data_format="none"))
    utils = tf.keras.applications.imagenet_utils
    first = np.transpose(image, [2, 0, 1])
    with tf.Session() as session:
        for mode in ("caffe", "tf"):
            for data_format, x in (("channels_first", first), ("channels_last", image)):
                for batch in (x, x[None])[mode == "caffe" :]:
                    tensor = tf.constant(batch.astype(np.float32))
                    stage.attempt(
                        lambda: session.run(utils.preprocess_input(tensor, data_format, mode=mode))
                    )
    tf.keras.backend.set_image_data_format("channels_first")
    tf.keras.backend.set_image_data_format("channels_last")


@in_own_graph
def names_of_classes(tf, stage):
    utils = tf.keras.applications.imagenet_utils
    names = {str(n): [f"n{n:08}", f"class_{n}"] for n in range(1000)}
    rows = np.zeros([2, 1000], np.float32)
    rows[0, [3, 7, 999, 20, 500]] = 0.25, 0.5, 0.125, 0.0625, 0.03
    rows[1] = np.arange(1000)
    with _trusted(tf), _at_home(stage):
        os.makedirs(stage.folder + "/.keras/models")
        with open(stage.folder + "/.keras/models/imagenet_class_index.json", "w") as file:
            json.dump(names, file)
        stage.attempts(
            lambda: utils.decode_predictions(rows[:, :10]),
            lambda: utils.decode_predictions(rows[0]),
        )
        for name in _FAMILIES:
            of = getattr(tf.keras.applications, name).decode_predictions
            stage.attempt(lambda: of(rows, top=2))


@in_own_graph
def refused(tf, stage):
    of = tf.keras.applications

    def stops(self, *given, **options):
        raise RuntimeError("it would be built")

    calls = (
        {"weights": "none"},
        {"classes": 10},
        {"input_shape": (32, 32, 3)},
        {"input_shape": (20, 20, 3), "include_top": False},
        {"input_shape": (20, 20, 3), "weights": None},
        {"input_shape": (None, None, 3), "weights": None},
        {"input_shape": (300, 300), "weights": None},
        {"input_shape": (300, 300, 4), "include_top": False},
        {"input_shape": (300, 20, 3), "include_top": False, "weights": None},
    )
    with mock.patch.object(tf.keras.layers.Conv2D, "__init__", stops):
        for name in (
            "DenseNet121",
            "InceptionResNetV2",
            "InceptionV3",
            "MobileNet",
            "MobileNetV2",
            "NASNetLarge",
            "NASNetMobile",
            "ResNet50",
            "ResNet50V2",
            "VGG16",
            "Xception",
        ):
            for options in calls:
                stage.say(name, sorted(options.items()))
                stage.attempt(lambda: getattr(of, name)(**options))
        for options in (
            {"alpha": 0.3},
            {"alpha": 0.5, "depth_multiplier": 2},
            {"alpha": 0.3, "include_top": False},
        ):
            stage.attempt(lambda: of.MobileNet(**options))
            options.pop("depth_multiplier", None)
            stage.attempt(lambda: of.MobileNetV2(**options))
        x = tf.keras.Input((64, 64, 3))
        plain = tf.zeros([1, 64, 64, 3])
        stage.attempts(
            lambda: of.MobileNetV2((32, 32, 3), weights=None, input_tensor=x, include_top=False),
            lambda: of.MobileNetV2((64, 64, 3), weights=None, input_tensor=plain),
            lambda: of.MobileNetV2(weights=None, input_tensor=3),
            lambda: of.MobileNetV2((64, 64, 3), weights=None, input_tensor=3),
        )


@contextlib.contextmanager
def _without_weights(tf, stage, rows):
    """Context in which called layers are recorded, and models have only weights from files."""
    names, kept = {}, []

    def call(layer, inputs):
        single = not isinstance(inputs, list)
        shapes = [x.shape.as_list() for x in ([inputs] if single else inputs)]
        shape = layer.compute_output_shape(shapes[0] if single else shapes)
        shape = tf.TensorShape(shape).as_list()
        config = layer.get_config()
        for part in ("function", "module", "function_type"):
            config.pop(part, None)
        if isinstance(config.get("axis"), int):
            config["axis"] %= len(shape)
        before = [names.get(id(x), "input") for x in ([inputs] if single else inputs)]
        rows.append([layer.name, type(layer).__name__, config, before, shape])
        output = tf.placeholder(tf.float32, shape)
        names[id(output)] = layer.name
        kept.append(output)
        return output

    def get_file(fname, origin, cache_subdir="datasets", file_hash=None):
        stage.say(fname, origin, cache_subdir, file_hash)
        return "file of " + fname

    def init(model, inputs, outputs, name):
        stage.say(name, inputs.shape, names[id(outputs)], outputs.shape)

    where = "tfmini._src.models.keras.applications.imagenet_model.get_file"
    if tf.__name__ == "tensorflow":
        where = "tensorflow.python.keras.utils.get_file"
    with mock.patch.object(tf.keras.layers.Layer, "__call__", call):
        with mock.patch.object(tf.keras.Model, "__init__", init), mock.patch(where, get_file):
            with mock.patch.object(
                tf.keras.Model, "load_weights", lambda self, path: stage.say(path)
            ):
                yield


_FIRST = "DenseNet121", "InceptionV3", "MobileNet", "MobileNetV2", "NASNetMobile", "ResNet50V2"


def _plain(value):
    return dict(value) if hasattr(value, "keys") else np.asarray(value).tolist()


def layers_of_each(tf, stage):
    headless = {"include_top": False, "pooling": "avg"}
    for name, *variants in (
        ("DenseNet121", {"weights": None, "classes": 9, "input_shape": (40, 41, 1)}, headless),
        ("DenseNet169",),
        ("DenseNet201",),
        ("InceptionV3", {**headless, "input_shape": (80, 90, 3)}),
        ("InceptionResNetV2", {**headless, "pooling": "max"}),
        (
            "MobileNet",
            {**headless, "alpha": 0.25, "input_shape": (128, 128, 3)},
            {"weights": None, "depth_multiplier": 2, "dropout": 0.5, "alpha": 0.3, "classes": 3},
            {"include_top": False, "input_shape": (100, 100, 3), "alpha": 0.5},
            {"alpha": 0.75},
        ),
        (
            "MobileNetV2",
            {**headless, "alpha": 1.4, "input_shape": (96, 96, 3)},
            {"weights": None, "alpha": 0.35, "input_shape": (97, 99, 3), "classes": 3},
            {"include_top": False, "input_shape": (100, 100, 3), "pooling": "max", "alpha": 0.5},
        ),
        ("NASNetLarge", {**headless, "input_shape": (65, 65, 3)}),
        ("NASNetMobile", {"weights": None, "classes": 4}, {**headless, "pooling": "max"}),
        ("ResNet50", {**headless, "pooling": "max"}),
        ("ResNet101",),
        ("ResNet152",),
        ("ResNet50V2", headless, {"include_top": False}),
        ("ResNet101V2",),
        ("ResNet152V2",),
        ("VGG16", headless, {"weights": None, "classes": 3, "input_shape": (48, 32, 1)}),
        ("VGG19", {"include_top": False}),
        ("Xception", {**headless, "pooling": "max"}),
    ):
        for options in ({}, *variants):
            first = not options and name in _FIRST
            for data_format in ("channels_last", "channels_first")[: 1 + first]:
                rows = []
                stage.say(name, data_format, sorted(options.items()))
                tf.keras.backend.set_image_data_format(data_format)
                with tf.Graph().as_default(), stage.failing(), _without_weights(tf, stage, rows):
                    getattr(tf.keras.applications, name)(**options)
                tf.keras.backend.set_image_data_format("channels_last")
                texts = [json.dumps(row, sort_keys=True, default=_plain) for row in rows]
                stage.say(len(rows), zlib.crc32("\n".join(sorted(texts)).encode()))
