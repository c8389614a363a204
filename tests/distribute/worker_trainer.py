"""A worker under MultiWorkerMirroredStrategy: trains a linear model, and prints the results as JSON.

Run as `KIND MODEL FOLDER`: tensorflow or tfmini, estimator, keras or normalized, and the checkpoint folder.
"""

import json
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
if sys.argv[1] == "tensorflow":
    import tensorflow as tf
else:
    import tfmini as tf
import numpy as np

X = np.random.RandomState(0).randn(64, 3).astype("f")
Y = (X @ np.array([[1.0], [2.0], [3.0]]) + 0.5).astype("f")


def plain(values):
    return [np.asarray(value, float).tolist() for value in values]


def estimator(strategy, folder):
    def input_fn(input_context=None):
        data = tf.data.Dataset.from_tensor_slices((X, Y))
        if input_context is None:
            return data.batch(16)
        data = data.shard(input_context.num_input_pipelines, input_context.input_pipeline_id)
        return data.repeat().batch(input_context.get_per_replica_batch_size(16))

    def model(features, labels, mode):
        first = tf.random_normal_initializer(seed=os.getpid())  # the first worker's counts
        y = tf.layers.dense(features, 1, kernel_initializer=first, name="d")
        seen = tf.layers.batch_normalization(y, momentum=0.5, training=True, name="n")
        loss = tf.losses.mean_squared_error(labels, y)
        with tf.control_dependencies([seen]):
            optimizer = tf.train.GradientDescentOptimizer(0.1)
            train = optimizer.minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    config = tf.estimator.RunConfig(
        train_distribute=strategy, model_dir=folder, save_checkpoints_steps=10
    )
    result = tf.estimator.Estimator(model, config=config)
    spec = tf.estimator.TrainSpec(input_fn, max_steps=40)
    tf.estimator.train_and_evaluate(result, spec, tf.estimator.EvalSpec(input_fn))
    return {"is_chief": config.is_chief}


def keras(strategy, folder):
    with strategy.scope():
        model = tf.keras.Sequential(
            [tf.keras.layers.Dense(1, input_shape=(3,), kernel_initializer="ones")]
        )
        model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.5), "mse", metrics=["mae"])
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(16, drop_remainder=True)
    history = model.fit(data, epochs=1, steps_per_epoch=4, verbose=0).history
    rows = model.fit(X, Y, batch_size=8, epochs=2, shuffle=False, verbose=0).history
    return {
        "history": plain([history["loss"], history["mean_absolute_error"], rows["loss"]]),
        "weights": plain(model.get_weights()),
        "evaluated": plain(model.evaluate(data, steps=4, verbose=0)),
    }


def normalized(strategy, folder):
    """Only the first worker reads and saves; the moving averages are those of its own rows."""
    with strategy.scope():
        layers = tf.keras.layers
        model = tf.keras.Sequential(
            [layers.BatchNormalization(input_shape=(3,), momentum=0.5), layers.Dense(1)]
        )
        model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(16, drop_remainder=True)
    model.fit(data, epochs=1, steps_per_epoch=4, verbose=0)
    if not strategy.extended.should_checkpoint:
        model.fit(data, epochs=1, steps_per_epoch=4, verbose=0)
        return {}
    with strategy.scope():
        weights = model.get_weights()
        model.save_weights(folder + "/weights.h5")
        model.save_weights(folder + "/checkpoint")
        fetched = tf.keras.backend.get_session().run(model.layers[0].moving_mean)
    model.fit(data, epochs=1, steps_per_epoch=4, verbose=0)
    mean = tf.train.load_checkpoint(folder + "/checkpoint").get_tensor(
        "layer_with_weights-0/moving_mean/.ATTRIBUTES/VARIABLE_VALUE"
    )
    return {"means": plain([weights[2], fetched, mean])}


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.ERROR)
    strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
    found = {"estimator": estimator, "keras": keras, "normalized": normalized}[sys.argv[2]](
        strategy, sys.argv[3]
    )
    found["replicas"] = strategy.num_replicas_in_sync
    print(json.dumps(found))
