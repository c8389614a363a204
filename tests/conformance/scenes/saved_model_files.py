"""SavedModels: built, loaded, with signatures, several graphs, assets, main ops and tags; errors."""

import os


def _graph(tf, value=2.0):
    x = tf.placeholder(tf.float32, [None], name="x")
    v = tf.get_variable("v", initializer=value)
    return x, tf.multiply(x, v, name="y")


def _signature(tf, x, y, method="tensorflow/serving/predict"):
    of = tf.saved_model
    return of.build_signature_def(
        {"x": of.utils.build_tensor_info(x)}, {"y": of.utils.build_tensor_info(y)}, method
    )


def _tree(stage, folder):
    for path, _, names in sorted(os.walk(folder)):
        stage.say(os.path.relpath(path, folder), sorted(names))
