"""Writes a model that TensorFlow 2.4 or 2.12 exports differently from 2.21: a mutable table in a checkpoint, iterator
functions.

    PYTHON_OF_2_4 -m tests.conformance.second_release.earlier_releases FOLDER       (a folder text_2_4)

`golden/second_release/earlier_models.tar.xz` has both.
"""

import os
import sys

import numpy as np
import tensorflow as tf

WORDS = ["the cat sat", "the dog sat down", "a bird"]


def main(folder):
    release = "_".join(tf.__version__.split(".")[:2])
    layers = tf.keras.layers
    if not hasattr(layers, "TextVectorization"):
        layers = layers.experimental.preprocessing
    tf.random.set_seed(1)
    vectorize = layers.TextVectorization(max_tokens=20, output_sequence_length=6)
    vectorize.adapt(np.array(WORDS[:2]))
    x = tf.keras.Input((), dtype="string")
    y = tf.keras.layers.Embedding(20, 4, mask_zero=True)(vectorize(x))
    model = tf.keras.Model(x, tf.keras.layers.GlobalAveragePooling1D()(y))
    path = os.path.join(folder, f"text_{release}")
    tf.saved_model.save(model, os.path.join(path, "model"))
    loaded = tf.saved_model.load(
        os.path.join(path, "model")
    )  # 2.4's signatures do not keep its variables alive
    served = loaded.signatures["serving_default"]
    (key,) = served.structured_input_signature[1]
    values = {
        f"serving_default/values/{name}": value.numpy()
        for name, value in served(**{key: tf.constant(WORDS)}).items()
    }
    texts = np.array([word.encode() + b"." for word in WORDS])  # NumPy drops trailing zeros
    np.savez(os.path.join(path, "values.npz"), **{f"serving_default/feeds/{key}": texts}, **values)


if __name__ == "__main__":
    main(sys.argv[1])
