"""Models of the TensorFlow 1 era, saved as SavedModels, and their differences under ONNX Runtime.

usage: python -m tests.programs.onnx.models FOLDER [NAME ...]      (with tf2onnx and onnxruntime; prints a table)
"""

import contextlib
import io
import os
import sys

import numpy as np

import tfmini as tf
from tfmini._src.programs.cli import main

# Outputs of a head, whose other results are strings: ONNX has no op that formats numbers.
PROBABILITIES = "head/predictions/probabilities"


def images(size=28, depth=1):
    return tf.placeholder(tf.float32, [None, size, size, depth], name="images")


def lenet():
    x = images()
    y = tf.layers.max_pooling2d(
        tf.layers.conv2d(x, 6, 5, padding="same", activation=tf.nn.relu), 2, 2
    )
    y = tf.layers.max_pooling2d(tf.layers.conv2d(y, 16, 5, activation=tf.nn.relu), 2, 2)
    y = tf.layers.dense(tf.layers.flatten(y), 120, tf.nn.relu)
    return [x], tf.nn.softmax(tf.layers.dense(tf.layers.dense(y, 84, tf.nn.relu), 10))


def resnet_20():
    x = images(32, 3)

    def normed(y):
        return tf.layers.batch_normalization(y, training=False)

    y = tf.nn.relu(normed(tf.layers.conv2d(x, 16, 3, padding="same", use_bias=False)))
    for depth in (16, 32, 64):
        for block in range(3):
            stride = 2 if depth > 16 and block == 0 else 1
            z = tf.layers.conv2d(y, depth, 3, stride, padding="same", use_bias=False)
            z = normed(
                tf.layers.conv2d(tf.nn.relu(normed(z)), depth, 3, padding="same", use_bias=False)
            )
            if stride == 2:
                y = tf.layers.conv2d(y, depth, 1, 2)
            y = tf.nn.relu(y + z)
    return [x], tf.layers.dense(tf.reduce_mean(y, [1, 2]), 10)


def lstm_by_static_rnn():
    x = tf.placeholder(tf.float32, [None, 5, 3], name="x")
    outputs, _ = tf.nn.static_rnn(
        tf.nn.rnn_cell.LSTMCell(4), tf.unstack(x, axis=1), dtype=tf.float32
    )
    return [x], tf.layers.dense(outputs[-1], 2)


def lstm_by_dynamic_rnn():
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(4), x, dtype=tf.float32)
    return [x], tf.layers.dense(outputs, 2)


def word2vec():
    words = tf.placeholder(tf.int32, [None], name="words")
    vectors = tf.get_variable("vectors", [50, 8])
    normed = tf.nn.l2_normalize(vectors, 1)
    near = tf.matmul(tf.nn.embedding_lookup(normed, words), normed, transpose_b=True)
    return [words], tf.nn.top_k(near, 5).values


def autoencoder():
    x = tf.placeholder(tf.float32, [None, 20], name="x")
    code = tf.layers.dense(tf.layers.dense(x, 10, tf.nn.elu), 3)
    return [x], tf.sigmoid(tf.layers.dense(tf.layers.dense(code, 10, tf.nn.elu), 20))


def keras_model():
    x = tf.keras.Input((12, 4))
    y = tf.keras.layers.Bidirectional(tf.keras.layers.GRU(3, return_sequences=True))(x)
    y = tf.keras.layers.Conv1D(5, 3, activation="relu")(y)
    return [x], tf.keras.layers.Dense(2, activation="softmax")(tf.keras.layers.GlobalMaxPool1D()(y))


def wide_and_deep():
    column = tf.feature_column
    age = column.numeric_column("age")
    kind = column.categorical_column_with_identity("kind", 4)
    model = tf.estimator.DNNLinearCombinedClassifier(
        linear_feature_columns=[kind, age],
        dnn_feature_columns=[age, column.embedding_column(kind, 3)],
        dnn_hidden_units=[5],
        config=tf.estimator.RunConfig(save_summary_steps=None),
    )
    features = {"age": np.zeros([4, 1], "f"), "kind": np.zeros([4, 1], np.int64)}
    model.train(
        tf.estimator.inputs.numpy_input_fn(features, np.zeros(4, "i"), shuffle=False), steps=1
    )
    placeholders = {
        "age": tf.placeholder(tf.float32, [None, 1]),
        "kind": tf.placeholder(tf.int64, [None, 1]),
    }
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(placeholders)
    return lambda folder: os.rename(
        model.export_saved_model(folder + "_", receiver).decode(), folder
    )


def attention():
    x = tf.placeholder(tf.float32, [None, 6, 8], name="x")
    return [x], attended(x, 2)


def attended(x, heads):
    size = x.shape[-1].value
    parts = tf.reshape(tf.layers.dense(x, 3 * size), [-1, 6, 3, heads, size // heads])
    q, k, v = tf.unstack(tf.transpose(parts, [2, 0, 3, 1, 4]))
    weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / np.sqrt(size / heads))
    joined = tf.reshape(tf.transpose(tf.matmul(weights, v), [0, 2, 1, 3]), [-1, 6, size])
    return tf.contrib.layers.layer_norm(x + tf.layers.dense(joined, size), begin_norm_axis=-1)


def inception_block(y, depth):
    slim = tf.contrib.slim
    branches = [
        slim.conv2d(y, depth, 1),
        slim.conv2d(slim.conv2d(y, depth, 1), depth, 3),
        slim.conv2d(slim.conv2d(y, depth, 1), depth, 5),
        slim.conv2d(slim.max_pool2d(y, 3, stride=1, padding="SAME"), depth, 1),
    ]
    return tf.concat(branches, 3)


def slim_inception():
    slim, x = tf.contrib.slim, images(32, 3)
    with slim.arg_scope(
        [slim.conv2d], normalizer_fn=slim.batch_norm, normalizer_params={"is_training": False}
    ):
        y = slim.max_pool2d(slim.conv2d(x, 8, 7, stride=2), 3, stride=2, padding="SAME")
        y = inception_block(inception_block(y, 8), 8)
    return [x], slim.softmax(
        slim.fully_connected(tf.reduce_mean(y, [1, 2]), 10, activation_fn=None)
    )


def bert_encoder():
    words = tf.placeholder(tf.int32, [None, 6], name="words")
    x = tf.nn.embedding_lookup(tf.get_variable("words", [40, 16]), words) + tf.get_variable(
        "places", [6, 16]
    )
    x = tf.contrib.layers.layer_norm(x, begin_norm_axis=-1)
    for _ in range(2):
        x = attended(x, 4)
        inner = tf.layers.dense(x, 32)
        inner = inner * 0.5 * (1.0 + tf.erf(inner / np.sqrt(2.0)))
        x = tf.contrib.layers.layer_norm(x + tf.layers.dense(inner, 16), begin_norm_axis=-1)
    return [words], tf.layers.dense(x[:, 0], 16, tf.tanh)


def beam_search():
    state = tf.placeholder(tf.float32, [2, 4], name="state")
    seq2seq = tf.contrib.seq2seq
    decoder = seq2seq.BeamSearchDecoder(
        tf.nn.rnn_cell.GRUCell(4), tf.get_variable("words", [6, 3]), tf.fill([2], 1), 2,
        seq2seq.tile_batch(state, 3), 3, output_layer=tf.layers.Dense(6),
    )  # fmt: skip
    outputs, _, _ = seq2seq.dynamic_decode(decoder, maximum_iterations=4)
    return [state], outputs.predicted_ids


def beam_search_step():
    """One iteration of `beam_search` with fed beams and state."""
    words = tf.placeholder(tf.int32, [2, 3], name="words")
    cell = tf.placeholder(tf.float32, [2, 3, 4], name="cell")
    sums = tf.placeholder(tf.float32, [2, 3], name="sums")
    finished = tf.placeholder(tf.int32, [2, 3], name="finished")
    table = tf.get_variable("words", [6, 3])
    decoder = tf.contrib.seq2seq.BeamSearchDecoder(
        tf.nn.rnn_cell.GRUCell(4), table, tf.fill([2], 1), 2, tf.reshape(cell, [6, 4]), 3,
        output_layer=tf.layers.Dense(6),
    )  # fmt: skip
    decoder.initialize()
    state = tf.contrib.seq2seq.BeamSearchDecoderState(
        cell, sums, finished > 0, tf.zeros([2, 3], tf.int64), ()
    )
    output, after, _, _ = decoder.step(0, tf.nn.embedding_lookup(table, words), state)
    shown = [output.parent_ids, output.predicted_ids, after.log_probs, after.cell_state[..., 0]]
    return [words, cell, sums, finished], tf.stack([tf.cast(each, tf.float32) for each in shown])


MODELS = [
    lenet, resnet_20, lstm_by_static_rnn, lstm_by_dynamic_rnn, word2vec, autoencoder, keras_model, wide_and_deep,
    attention, slim_inception, bert_encoder, beam_search, beam_search_step,
]  # fmt: skip


def save(make, folder):
    """Writes a SavedModel with random weights."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(5)
        tf.keras.backend.set_session(session)
        created = make()
        if callable(created):
            created(folder)
            return
        inputs, output = created
        session.run(tf.global_variables_initializer())
        fed = {tensor.op.name: tensor for tensor in inputs}
        tf.saved_model.simple_save(session, folder, fed, {"result": output})


def exported(make, folder):
    """The exit status and output of `tfmini export`."""
    path = os.path.join(folder, make.__name__)
    save(make, path)
    message, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(message), contextlib.redirect_stderr(complained):
        further = (
            ["--signature", "predict", "--outputs", PROBABILITIES] if make is wide_and_deep else []
        )
        status = main(["export", "--onnx", f"{path}.onnx", path, *further])
    return status, message.getvalue() + complained.getvalue()


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.ERROR)
    for each in MODELS:
        if not sys.argv[2:] or each.__name__ in sys.argv[2:]:
            code, text = exported(each, sys.argv[1])
            print(f"| {each.__name__} | {code} | {text.strip().splitlines()[-1]} |", flush=True)
