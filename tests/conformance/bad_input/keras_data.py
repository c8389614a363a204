"""Invalid inputs of tf.keras models: arrays, weights, generators, datasets; callbacks."""

import numpy as np

X, Y = np.ones([6, 4], "f"), np.ones([6, 3], "f")


def _model(tf, loss="mse", last=3, activation=None, **how):
    tf.keras.backend.clear_session()
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Dense(5, input_shape=(4,), name="one"),
            layers.Dense(last, name="two", activation=activation),
        ]
    )
    model.compile("sgd", loss, **how)
    return model


def _two(tf, loss="mse"):
    tf.keras.backend.clear_session()
    layers = tf.keras.layers
    a, b = tf.keras.Input([4], name="a"), tf.keras.Input([2], name="b")
    joined = layers.concatenate([a, b])
    model = tf.keras.Model(
        [a, b], [layers.Dense(3, name="first")(joined), layers.Dense(1, name="second")(joined)]
    )
    model.compile("sgd", loss)
    return model


def images_without_channels(tf):
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Conv2D(2, 3, input_shape=(8, 8, 1))])
    model.predict(np.ones([2, 8, 8]))


def classes_for_categories(tf):
    model = _model(tf, "categorical_crossentropy", activation="softmax")
    model.fit(X, np.array([0, 1, 2, 0, 1, 2]))


def categories_for_classes(tf):
    model = _model(tf, "sparse_categorical_crossentropy", activation="softmax")
    model.fit(X, np.eye(3)[[0, 1, 2, 0, 1, 2]])


def a_validation_split_of_a_dataset(tf):
    model = _model(tf)
    model.fit(tf.data.Dataset.from_tensor_slices((X, Y)).batch(2), validation_split=0.5)


def sample_weights_by_time_of_rank_1(tf):
    tf.keras.backend.clear_session()
    layer = tf.keras.layers.LSTM(3, return_sequences=True, input_shape=(5, 2))
    model = tf.keras.Sequential([layer])
    model.compile("sgd", "mse", sample_weight_mode="temporal")
    model.fit(np.ones([4, 5, 2]), np.ones([4, 5, 3]), sample_weight=np.ones([4]))


def class_weights_over_time(tf):
    tf.keras.backend.clear_session()
    layer = tf.keras.layers.LSTM(3, return_sequences=True, input_shape=(5, 2))
    model = tf.keras.Sequential([layer])
    model.compile("sgd", "mse")
    model.fit(np.ones([4, 5, 2]), np.ones([4, 5, 3]), class_weight={0: 1.0})


def a_batch_size_for_a_dataset(tf):
    model = _model(tf)
    model.fit(tf.data.Dataset.from_tensor_slices((X, Y)).batch(2), batch_size=2)


def targets_beside_a_dataset(tf):
    model = _model(tf)
    model.fit(tf.data.Dataset.from_tensor_slices((X, Y)).batch(2), Y)


def sample_weights_beside_a_dataset(tf):
    model = _model(tf)
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(2)
    model.fit(data, sample_weight=np.ones([6]))


def an_endless_dataset_without_steps(tf):
    model = _model(tf)
    model.fit(tf.data.Dataset.from_tensor_slices((X, Y)).batch(2).repeat())


def a_dataset_of_the_wrong_width(tf):
    model = _model(tf)
    data = tf.data.Dataset.from_tensor_slices((np.ones([6, 5], "f"), Y)).batch(2)
    model.fit(data, verbose=0)


def a_generator_of_four(tf):
    model = _model(tf)
    model.fit_generator((b for b in [(X, Y, Y, Y)] * 2), steps_per_epoch=1, verbose=0)


def a_generator_that_raises(tf):
    def batches():
        yield X, Y
        raise KeyError("a file that is not there")

    _model(tf).fit_generator(batches(), steps_per_epoch=2, verbose=0, max_queue_size=1)


def targets_beside_a_generator(tf):
    model = _model(tf)
    model.fit((b for b in [(X, Y)] * 2), Y, steps_per_epoch=1)


def a_callback_that_raises(tf):
    class Broken(tf.keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            raise RuntimeError(f"epoch {epoch} was the last")

    _model(tf).fit(X, Y, callbacks=[Broken()], verbose=0)


def a_schedule_for_an_optimizer_without_a_rate(tf):
    model = _model(tf)
    model.compile(tf.train.GradientDescentOptimizer(0.1), "mse")
    schedule = tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.1)
    model.fit(X, Y, callbacks=[schedule], verbose=0)


def an_epoch_of_a_batch_too_small_for_a_stateful_model(tf):
    tf.keras.backend.clear_session()
    layer = tf.keras.layers.LSTM(3, stateful=True, batch_input_shape=(4, 5, 2))
    model = tf.keras.Sequential([layer])
    model.compile("sgd", "mse")
    model.fit(np.ones([6, 5, 2]), np.ones([6, 3]), batch_size=4)


def sequences_of_another_length(tf):
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Embedding(3, 2, input_length=4)])
    model.predict(np.array([[0, 1, 2]]))
