"""Datasets whose iterators share an order and a cache; Keras models trained in all ways, saved and loaded."""

import os
import tempfile

import numpy as np


def _all(dataset):
    return [element.numpy().tolist() for element in dataset]


def filtered(tf):
    numbers = tf.data.Dataset.range(10)
    return [
        _all(numbers.filter(lambda x: x % 2 == 0)),
        _all(numbers.map(lambda x: x != 3)),
        _all(numbers.map(lambda x: tf.where(x == 4, x * 10, x)).batch(4, True)),
        _all(
            numbers.window(3).flat_map(lambda w: w.batch(3)).filter(lambda w: tf.shape(w)[0] == 3)
        ),
    ]


def shuffled(tf):
    tf.set_random_seed(7)
    results = {}
    for name, options in {
        "seeded": {"seed": 1},
        "of_the_graph": {},
        "kept": {"seed": 1, "reshuffle_each_iteration": False},
        "given": {"seed": 2, "reshuffle_each_iteration": True},
    }.items():
        dataset = tf.data.Dataset.range(6).shuffle(6, **options)
        mapped = tf.data.Dataset.range(4).shuffle(4, **options).map(lambda x: x + 1).batch(2)
        repeated = tf.data.Dataset.range(4).shuffle(4, **options).repeat(3)
        first = mapped.take(1)
        results[name] = [
            [_all(dataset) for _ in range(3)],
            [_all(mapped) for _ in range(2)],
            [_all(first), _all(mapped), _all(first)],
            _all(repeated),
        ]
    both = iter(tf.data.Dataset.range(6).shuffle(6, seed=1))
    results["in_turn"] = [next(both).numpy() for _ in range(6)]
    return results


def cached(tf):
    read = []

    def noted(x):
        read.append(int(x))
        return x * 2

    source = tf.data.Dataset.range(3).map(lambda x: tf.py_function(noted, [x], tf.int64))
    dataset = source.cache()
    in_memory = [_all(dataset) for _ in range(3)], list(read)
    read.clear()
    dataset = source.cache(os.path.join(tempfile.mkdtemp(), "kept"))
    in_a_file = [_all(dataset) for _ in range(3)], list(read)

    @tf.function
    def digits():
        result = np.int64(0)
        for x in tf.data.Dataset.range(5).shuffle(5, seed=1).cache():
            result = result * 10 + x
        return result

    return [in_memory, in_a_file, [digits(), digits()]]


def trained(tf):
    random = np.random.RandomState(0)
    x = random.rand(32, 3).astype("f")
    y = (x.sum(1) > 1.5).astype("i")
    constant = tf.keras.initializers.Constant
    layers = [
        tf.keras.layers.Dense(4, "relu", kernel_initializer=constant(0.1), input_shape=(3,)),
        tf.keras.layers.Dense(2, kernel_initializer=constant(0.2)),
    ]
    model = tf.keras.Sequential(layers)

    def right(labels, logits):
        labels = tf.cast(tf.reshape(labels, [-1]), tf.int64)
        return tf.cast(labels == tf.argmax(logits, 1), tf.float32)

    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("sgd", loss, metrics=[right, "accuracy"])
    history = model.fit(x, y, epochs=2, verbose=0, shuffle=False, batch_size=8).history
    return {
        "history": history,
        "evaluated": model.evaluate(x, y, verbose=0),
        "predicted": [model.predict(x[:2]), model(x[:1])],
        "by_batches": [model.train_on_batch(x[:4], y[:4]), model.metrics_names],
    }


def functional(tf):
    a, b = tf.keras.Input((3,)), tf.keras.Input((3,))
    same = tf.cast(a == b, tf.float32)
    both = tf.concat([same, a + b * 2], 1)
    result = tf.keras.layers.Dense(1, kernel_initializer="ones")(both)
    model = tf.keras.Model([a, b], [result, same])
    x, y = np.float32([[1, 2, 3]]), np.float32([[1, 0, 3]])
    return [model([x, y]), model.predict([x, y]), [layer.name for layer in model.layers]]


def subclassed(tf):
    class Scaled(tf.keras.layers.Layer):
        def __init__(self, units, **options):
            super().__init__(**options)
            self.units = units

        def build(self, shape):
            self.w = self.add_weight("w", [shape[-1], self.units], initializer="ones")

        def call(self, x, training=None):
            if training:
                x = x * 2
            self.add_loss(tf.reduce_sum(self.w) * 0.01)
            return tf.matmul(x, self.w)

    class Several(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first = Scaled(2)
            self.parts = [Scaled(3), Scaled(1)]
            self.named = {"last": tf.keras.layers.Dense(1, kernel_initializer="ones")}

        def call(self, x, training=False):
            y = self.first(x, training=training)
            for part in self.parts:
                y = part(y)
            return self.named["last"](y)

    model, x = Several(), np.ones((4, 2), "f")
    before = [model(x), model(x, training=True)]
    model.compile(tf.keras.optimizers.Adam(0.1), "mse")
    history = model.fit(x, np.zeros((4, 1), "f"), epochs=2, verbose=0).history
    prefix = os.path.join(tempfile.mkdtemp(), "weights")
    model.save_weights(prefix)
    other = Several()
    other(x)
    other.load_weights(prefix)
    return {
        "before": before,
        "history": history,
        "names": [w.name for w in model.weights],
        "loaded": other(x) == model(x),
        "losses": [len(model.losses), model.losses[0]],
    }


def by_hand(tf):
    model = tf.keras.Sequential([tf.keras.layers.Dense(3, kernel_initializer="ones")])
    optimizer, loss = tf.keras.optimizers.SGD(0.001), tf.keras.losses.MeanSquaredError()
    mean = tf.keras.metrics.Mean()
    accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
    x, y = np.arange(12, dtype="f").reshape(6, 2), np.array([0, 1, 2, 0, 1, 2])
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(6, seed=1).batch(2)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            value = loss(tf.one_hot(y, 3), logits)
        grads = tape.gradient(value, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        mean(value)
        accuracy(y, logits)
        return value

    values = [step(x, y) for _ in range(3) for x, y in dataset]
    directory = tempfile.mkdtemp()
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(model=model, optimizer=optimizer), directory, 2
    )
    kept = [os.path.basename(manager.save()) for _ in range(3)]
    weights = model.weights[0].numpy()
    model.weights[0].assign_add(tf.ones([2, 3]))
    manager._checkpoint.restore(manager.latest_checkpoint).assert_consumed()
    return {
        "values": values,
        "measured": [mean.result(), accuracy.result(), optimizer.iterations],
        "kept": kept,
        "restored": bool(tf.reduce_all(model.weights[0] == weights)),
    }


def recurrent(tf):
    ones = {"kernel_initializer": "ones", "recurrent_initializer": "ones"}
    layers = [
        tf.keras.layers.Embedding(5, 3, mask_zero=True, embeddings_initializer="ones"),
        tf.keras.layers.LSTM(2, return_sequences=True, **ones),
        tf.keras.layers.GRU(2, **ones),
        tf.keras.layers.Dense(1, kernel_initializer="ones"),
    ]
    model, x = tf.keras.Sequential(layers), np.array([[1, 2, 0], [3, 0, 0]])
    model.compile("adam", "mse")
    history = model.fit(x, np.ones((2, 1)), verbose=0, epochs=2).history
    return [model(x), history, [w.name for w in model.weights], model.predict(x)]


def refused_strategy(tf):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    try:
        model.compile("sgd", "mse", distribute=tf.distribute.OneDeviceStrategy("/cpu:0"))
    except ValueError as error:
        return str(error)
    return None
