"""Keras layers, models, metrics, cells and fitting."""

import numpy as np


def a_layer_and_a_model_of_one_s_own(tf):
    tf.set_random_seed(1)

    class MyDense(tf.keras.layers.Layer):
        def __init__(self, units):
            super().__init__()
            self.units = units

        def build(self, input_shape):
            self.kernel = self.add_variable("kernel", shape=[int(input_shape[-1]), self.units])

        def call(self, inputs):
            self.add_loss(tf.reduce_sum(self.kernel**2))
            return tf.matmul(inputs, self.kernel)

    class Block(tf.keras.Model):
        def __init__(self):
            super().__init__(name="block")
            self.parts = [MyDense(3), MyDense(2)]
            self.norm = tf.keras.layers.BatchNormalization()

        def call(self, inputs, training=False):
            for part in self.parts:
                inputs = tf.nn.relu(part(inputs))
            return self.norm(inputs, training=training)

    block, x = Block(), tf.ones([2, 4]) * [[1.0], [2.0]]
    first = block(x, training=True)
    return {
        "first": first,
        "again": block(x),
        "names": [v.name for v in block.variables],
        "trainable": len(block.trainable_variables),
        "losses": block.losses,
        "weights": block.get_weights()[-2:],
        "layers": [layer.name for layer in block.layers],
    }


def fit_of_a_sequential(tf):
    x = np.random.RandomState(0).randn(32, 4).astype("f")
    y = (x[:, :1] > 0).astype("f")
    tf.set_random_seed(2)
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(6, activation="tanh"),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(tf.keras.optimizers.SGD(0.5), loss="binary_crossentropy", metrics=["accuracy"])
    history = model.fit(
        x, y, batch_size=8, epochs=3, verbose=0, shuffle=False, validation_split=0.25
    )
    return {
        "history": {key: list(map(float, values)) for key, values in history.history.items()},
        "evaluated": model.evaluate(x, y, verbose=0),
        "predicted": model.predict(x[:2]),
        "batch": model.train_on_batch(x, y),
    }


def fit_of_a_functional_model_by_datasets(tf):
    tf.set_random_seed(3)
    inputs = tf.keras.Input([3])
    hidden = tf.keras.layers.Dense(4, activation="relu", name="hidden")(inputs)
    outputs = [
        tf.keras.layers.Dense(1, name="a")(hidden),
        tf.keras.layers.Dense(2, name="b")(hidden),
    ]
    model = tf.keras.Model(inputs, outputs)
    model.compile("adam", loss={"a": "mse", "b": "mae"}, loss_weights={"a": 1.0, "b": 0.5})
    x = np.random.RandomState(1).randn(8, 3).astype("f")
    dataset = tf.data.Dataset.from_tensor_slices((x, {"a": x[:, :1], "b": x[:, 1:]})).batch(4)
    losses = []
    history = model.fit(
        dataset,
        epochs=2,
        verbose=0,
        callbacks=[
            tf.keras.callbacks.LambdaCallback(
                on_batch_end=lambda batch, logs: losses.append(float(logs["loss"]))
            )
        ],
    )
    return {"loss": history.history["loss"], "keys": sorted(history.history), "losses": losses}


def fit_run_eagerly(tf):
    seen = []

    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(1, kernel_initializer="ones")

        def call(self, inputs):
            seen.append(float(tf.reduce_sum(inputs)))
            return self.dense(inputs)

    model = Model()
    model.compile(tf.keras.optimizers.Adam(0.1), "mse", run_eagerly=True)
    x = np.arange(8, dtype="f").reshape(4, 2)
    history = model.fit(x, x[:, :1], batch_size=2, epochs=2, shuffle=False, verbose=0)
    return {"loss": history.history["loss"], "seen": seen[-4:], "predicted": model.predict(x)}


def metrics_of_keras(tf):
    mean, auc = tf.keras.metrics.Mean(), tf.keras.metrics.AUC(num_thresholds=50)
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
    for i in range(3):
        mean.update_state([i, i + 1.0])
        accuracy([0, 1], [[0.9, 0.1], [0.8, 0.2 + i]])
        auc.update_state([0, 1, 1], [0.1 * i, 0.4, 0.8])
    result = [mean.result(), accuracy.result(), auc.result()]
    mean.reset_states()
    return {"found": result, "reset": mean.result(), "names": [m.name for m in (mean, accuracy)]}


def recurrent_cells_by_hand(tf):
    tf.set_random_seed(12)
    cell, x = tf.keras.layers.LSTMCell(3), tf.ones([2, 4, 5])
    state = cell.get_initial_state(batch_size=2, dtype=tf.float32)
    for t in range(4):
        output, state = cell(x[:, t], state)
    old = tf.nn.rnn_cell.BasicLSTMCell(3)
    outputs, last = tf.nn.dynamic_rnn(old, x, sequence_length=[4, 2], dtype=tf.float32)
    both = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(2))(x)
    return {"output": output, "state": state, "old": outputs, "last": last, "both": both}


def inputs_of_keras_with_constants(tf):
    """Operations of concrete tensors run; operations of inputs become nodes."""
    K, L = tf.keras, tf.keras.layers
    x, ones = K.Input([2]), tf.ones([2])
    results = {
        "GRU": L.GRU(2)(tf.ones([4, 3, 2]), initial_state=x),
        "LSTM": L.LSTM(2)(tf.ones([4, 3, 2]), initial_state=[x, x]),
        "normalized": tf.nn.batch_normalization(x, ones, ones, None, None, 0.1),
        "looked up": tf.nn.embedding_lookup(tf.ones([3, 2]), tf.cast(x, tf.int32)),
        "repeated": tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, y * 2.0), [0, x])[1],
        "mask": tf.sequence_mask(tf.cast(x[:, 0], tf.int32), 3),
    }
    nodes = [[op.name, *(i.name for i in op.inputs)] for op in x.graph.get_operations()]
    return {name: str(tensor) for name, tensor in results.items()}, nodes
