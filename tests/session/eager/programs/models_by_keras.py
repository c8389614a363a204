"""Keras models saved to files, fed by generators, with callbacks, built of blocks and towers."""

import os
import tempfile

import numpy as np

FEATURES = np.random.RandomState(5).randn(16, 4).astype("f")


def weights_in_files(tf):
    directory = tempfile.mkdtemp()

    def make(kernel):
        return tf.keras.Sequential(
            [
                tf.keras.layers.Dense(2, kernel_initializer=kernel, input_shape=[4]),
                tf.keras.layers.Dense(1),
            ]
        )

    tf.set_random_seed(1)
    model, other = make("ones"), make("zeros")
    model.save_weights(os.path.join(directory, "weights"))
    status = other.load_weights(os.path.join(directory, "weights"))
    status.assert_consumed()
    model.save_weights(os.path.join(directory, "w.h5"))
    third = make("zeros")
    third.load_weights(os.path.join(directory, "w.h5"))
    return {
        "same": [m.predict(FEATURES[:2]) for m in (model, other, third)],
        "files": sorted(os.listdir(directory)),
    }


def a_model_in_one_file(tf):
    path = os.path.join(tempfile.mkdtemp(), "model.h5")
    tf.set_random_seed(2)
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(3, activation="relu", input_shape=[4]), tf.keras.layers.Dense(1)]
    )
    model.compile(tf.keras.optimizers.Adam(0.01), "mse")
    first = model.fit(FEATURES, FEATURES[:, :1], epochs=1, shuffle=False, verbose=0).history["loss"]
    model.save(path)
    loaded = tf.keras.models.load_model(path)
    again = loaded.fit(FEATURES, FEATURES[:, :1], epochs=1, shuffle=False, verbose=0).history[
        "loss"
    ]
    return {
        "losses": [first, again],
        "rate": loaded.optimizer.lr,
        "steps": loaded.optimizer.iterations,
    }


def callbacks_that_watch(tf):
    directory = tempfile.mkdtemp()
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(1, kernel_initializer="zeros", input_shape=[4])]
    )
    model.compile(tf.keras.optimizers.SGD(0.1), "mse", metrics=["mae"])
    rates = []

    class Watch(tf.keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            rates.append(
                [
                    float(tf.keras.backend.get_value(self.model.optimizer.lr)),
                    float(logs["val_loss"]),
                ]
            )

    model.fit(
        FEATURES,
        FEATURES[:, :1],
        epochs=4,
        validation_data=(FEATURES, FEATURES[:, 1:2]),
        shuffle=False,
        verbose=0,
        callbacks=[
            tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.1 / (1 + epoch)),
            tf.keras.callbacks.EarlyStopping(monitor="val_loss", patience=1),
            tf.keras.callbacks.ModelCheckpoint(
                os.path.join(directory, "{epoch}"), save_weights_only=True
            ),
            Watch(),
        ],
    )
    return {"rates": rates, "kept": sorted(n for n in os.listdir(directory) if n.endswith("index"))}


def batches_of_a_generator(tf):
    def batches():
        while True:
            for start in range(0, 16, 4):
                yield FEATURES[start : start + 4], FEATURES[start : start + 4, :1]

    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(tf.keras.optimizers.RMSprop(0.01), "mse")
    history = model.fit_generator(batches(), steps_per_epoch=4, epochs=2, verbose=0, shuffle=False)
    return {
        "loss": history.history["loss"],
        "evaluated": model.evaluate_generator(batches(), steps=2, verbose=0),
        "predicted": model.predict_generator(batches(), steps=1),
    }


def residual_blocks(tf):
    tf.set_random_seed(3)
    layers = tf.keras.layers

    class Block(tf.keras.Model):
        def __init__(self, filters, strides=1):
            super().__init__()
            self.conv1 = layers.Conv2D(filters, 3, strides, padding="same", kernel_regularizer="l2")
            self.bn1 = layers.BatchNormalization()
            self.conv2 = layers.SeparableConv2D(filters, 3, padding="same")
            self.bn2 = layers.BatchNormalization()
            self.shortcut = layers.Conv2D(filters, 1, strides)

        def call(self, x, training=None):
            y = tf.nn.relu(self.bn1(self.conv1(x), training=training))
            return tf.nn.relu(self.bn2(self.conv2(y), training=training) + self.shortcut(x))

    model = tf.keras.Sequential([Block(4), Block(8, 2), layers.GlobalMaxPool2D(), layers.Dense(3)])
    optimizer, losses = tf.keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True), []
    images = np.random.RandomState(0).rand(4, 6, 6, 3).astype("f")
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = loss_object([0, 1, 2, 0], model(images, training=True)) + sum(model.losses)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        losses.append(loss)
    return {
        "losses": losses,
        "counts": [len(model.variables), len(model.updates), model.count_params()],
    }


def two_towers(tf):
    tf.set_random_seed(4)
    left, right = tf.keras.Input([4], name="left"), tf.keras.Input([], dtype=tf.int32, name="right")
    embedded = tf.keras.layers.Embedding(10, 3, name="embedding")(right)
    tower = tf.keras.layers.Dense(3, name="tower")(left)
    both = tf.keras.layers.Concatenate()([tower, embedded, tower * embedded])
    out = tf.keras.layers.Lambda(lambda x: tf.reduce_sum(x, axis=1, keepdims=True))(both)
    model = tf.keras.Model(inputs=[left, right], outputs=out)
    model.compile("adagrad", "mse")
    feeds = {"left": FEATURES, "right": np.arange(16) % 10}
    history = model.fit(feeds, FEATURES[:, :1], epochs=2, shuffle=False, verbose=0)
    called = model([tf.constant(FEATURES[:2]), tf.constant([1, 2])])
    return {
        "loss": history.history["loss"],
        "called": called,
        "layers": [layer.name for layer in model.layers],
    }


def masks_of_sequences(tf):
    tf.set_random_seed(5)
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Embedding(8, 4, mask_zero=True),
            tf.keras.layers.LSTM(3, return_sequences=True),
            tf.keras.layers.TimeDistributed(tf.keras.layers.Dense(2)),
        ]
    )
    words = tf.constant([[1, 2, 0], [3, 0, 0]])
    padded = tf.keras.preprocessing.sequence.pad_sequences([[1, 2], [3]], maxlen=3, padding="post")
    return {
        "called": model(words),
        "mask": model.layers[0].compute_mask(words),
        "padded": padded,
        "equal": float(tf.reduce_max(tf.abs(model(padded) - model(words)))),
    }


def letters_as_numbers(tf):
    tokenizer = tf.keras.preprocessing.text.Tokenizer(num_words=6, oov_token="?")
    tokenizer.fit_on_texts(["the cat sat", "the cat ran", "a dog"])
    return {
        "index": tokenizer.word_index,
        "sequences": tokenizer.texts_to_sequences(["the dog sat down"]),
        "one_hot": tf.keras.utils.to_categorical([0, 2], 3),
    }


def layers_of_tf_layers(tf):
    tf.set_random_seed(6)

    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.conv = tf.layers.Conv1D(3, 2, activation=tf.nn.relu)
            self.pool = tf.layers.MaxPooling1D(2, 1)
            self.dense = tf.layers.Dense(2, bias_initializer=tf.ones_initializer())
            self.norm = tf.layers.BatchNormalization()

        def call(self, x, training=False):
            return self.norm(self.dense(self.pool(self.conv(x))), training=training)

    net = Net()
    return {
        "called": net(FEATURES[:2][:, :, None], training=True),
        "later": net(FEATURES[:2][:, :, None]),
        "names": [v.name for v in net.variables],
    }


def mirrored_steps(tf):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    with strategy.scope():
        v = tf.Variable(2.0)
    per_replica = strategy.experimental_run_v2(lambda x: x * v, args=(tf.constant(3.0),))
    return {
        "reduced": strategy.reduce(tf.distribute.ReduceOp.SUM, per_replica, axis=None),
        "replicas": strategy.num_replicas_in_sync,
        "v": v.numpy(),
    }
