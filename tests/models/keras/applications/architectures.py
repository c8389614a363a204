"""Digests of the `tf.keras.applications` models: a program that TensorFlow runs to record them, and tfmini to compare.

python -m tests.models.keras.applications.architectures        under the reference: writes architectures.json
"""

import hashlib
import json
import os

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "architectures.json")

QUICK = ["MobileNet", "VGG16", "Xception small"]
LENGTHY = [
    "DenseNet201",
    "InceptionResNetV2",
    "NASNetLarge",
    "NASNetMobile",
    "ResNet101",
    "ResNet152",
]
MODELS = {
    **{name: {} for name in ("VGG16", "VGG19", "InceptionV3", "InceptionResNetV2", "Xception")},
    **{f"ResNet{n}{v}": {} for n in (50, 101, 152) for v in ("", "V2")},
    **{name: {} for name in ("DenseNet121", "DenseNet169", "DenseNet201")},
    **{name: {} for name in ("MobileNet", "MobileNetV2", "NASNetMobile", "NASNetLarge")},
    "VGG19 means": {"include_top": False, "pooling": "avg"},
    "ResNet50V2 without": {"include_top": False, "pooling": "max"},
    "DenseNet121 means": {"include_top": False, "pooling": "avg", "input_shape": (40, 40, 1)},
    "InceptionV3 maxima": {"include_top": False, "pooling": "max", "input_shape": (80, 90, 3)},
    "MobileNet narrow": {"alpha": 0.25, "depth_multiplier": 2, "input_shape": (128, 128, 3)},
    "MobileNetV2 wide": {"alpha": 1.4, "input_shape": (97, 96, 3), "classes": 7},
    "NASNetMobile first": {"data_format": "channels_first", "include_top": False},
    "Xception small": {"include_top": False, "input_shape": (71, 71, 3)},
}


def digest(of):
    return hashlib.sha256(json.dumps(of, sort_keys=True).encode()).hexdigest()[:20]


def configuration(model):
    """The model's layer configurations; functions in them are bytecode of a single Python version."""
    result = json.loads(model.to_json())["config"]
    for layer in result["layers"]:
        if layer["class_name"] == "Lambda":
            for part in ("function", "module", "function_type"):
                del layer["config"][part]
    return result


def describe(tf, name):
    """Digests of a model's configuration, its weights' names and shapes, and its graph."""
    settings = dict(MODELS[name])
    before = tf.keras.backend.image_data_format()
    tf.keras.backend.set_image_data_format(settings.pop("data_format", before))
    try:
        with tf.Graph().as_default() as graph:
            model = getattr(tf.keras.applications, name.split()[0])(weights=None, **settings)
            nodes = [
                (
                    *(node.name, node.op, list(node.input)),
                    sorted(
                        (k, str(v)) for k, v in node.attr.items() if k not in ("value", "_class")
                    ),
                )
                for node in graph.as_graph_def().node
            ]
            return {
                "configuration": digest(configuration(model)),
                "graph": digest(nodes),
                "name": model.name,
                "nodes": len(nodes),
                "parameters": int(model.count_params()),
                "weights": digest([(w.name, [int(n) for n in w.shape]) for w in model.weights]),
            }
    finally:
        tf.keras.backend.set_image_data_format(before)


def write(tf):
    result = {name: describe(tf, name) for name in MODELS}
    with open(PATH, "w") as out:
        json.dump(result, out, indent=1, sort_keys=True)
        out.write("\n")


if __name__ == "__main__":
    import tensorflow

    tensorflow.compat.v1.logging.set_verbosity(tensorflow.compat.v1.logging.FATAL)
    write(tensorflow)
