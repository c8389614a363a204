"""A typical user program: `test_editors.py` analyses it with jedi, mypy and pyright, and runs it.

Trains a classifier on synthetic digits twice: with a session, a saver and summaries, and with an Estimator.
"""

import argparse
import os
import tempfile

import numpy as np

import tfmini as tf

CLASSES = 4
IMAGE = [8, 8, 1]


def make_digits(count, seed=0):
    """Images [count, 8, 8, 1] and labels [count]."""
    generator = np.random.RandomState(seed)
    labels = generator.randint(0, CLASSES, size=count)
    images = generator.normal(size=[count, *IMAGE]) + labels[:, None, None, None]
    return images.astype(np.float32), labels.astype(np.int32)


def input_fn(images, labels, batch_size, training):
    """Batches of features and labels: once, or in training forever."""
    dataset = tf.data.Dataset.from_tensor_slices((images, labels))
    if training:
        dataset = dataset.shuffle(buffer_size=len(labels), seed=1).repeat()
    dataset = dataset.map(lambda image, label: (tf.cast(image, tf.float32) / 4.0, label))
    return dataset.batch(batch_size).prefetch(1)


def weight(name, shape):
    """A variable with the regularization that belongs to it."""
    initializer = tf.truncated_normal_initializer(stddev=0.1)
    regularizer = tf.contrib.layers.l2_regularizer(1e-4)
    return tf.get_variable(name, shape, tf.float32, initializer, regularizer)


def logits_of(images, training, units=16, rate=0.2):
    """Logits [batch, classes] of images [batch, 8, 8, 1]."""
    with tf.variable_scope("model", reuse=tf.AUTO_REUSE):
        hidden = tf.layers.conv2d(images, 4, [3, 3], padding="same", activation=tf.nn.relu)
        hidden = tf.layers.max_pooling2d(hidden, pool_size=2, strides=2)
        hidden = tf.layers.batch_normalization(hidden, training=training)
        hidden = tf.layers.flatten(hidden)
        hidden = tf.layers.dense(hidden, units, activation=tf.nn.relu, name="hidden")
        hidden = tf.layers.dropout(hidden, rate=rate, training=training)
        size = hidden.shape[1].value
        w = weight("w", [size, CLASSES])
        b = tf.get_variable("b", [CLASSES], initializer=tf.zeros_initializer())
        return tf.nn.xw_plus_b(hidden, w, b, name="logits")


def loss_of(logits, labels):
    """The mean cross entropy plus regularization losses."""
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(losses) + tf.losses.get_regularization_loss()


def train_op_of(loss, optimizer, largest_norm=5.0):
    """An update of all variables, its gradients clipped, along with the moving averages of the model."""
    step = tf.train.get_or_create_global_step()
    grads, variables = zip(*optimizer.compute_gradients(loss))
    clipped, norm = tf.clip_by_global_norm(grads, largest_norm)
    tf.summary.scalar("norm", norm)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        return optimizer.apply_gradients(zip(clipped, variables), global_step=step)


class StopAtLoss(tf.train.SessionRunHook):
    """Stops training when the loss is low enough."""

    def __init__(self, loss: tf.Tensor, enough: float):
        self.loss = loss
        self.enough = enough

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        if run_values.results < self.enough:
            run_context.request_stop()


def train_with_session(images, labels, args):
    """Manual training steps; returns the training accuracy."""
    with tf.Graph().as_default() as graph, tf.device("/cpu:0"):
        tf.set_random_seed(1)
        x = tf.placeholder(tf.float32, [None, *IMAGE], name="x")
        y = tf.placeholder(tf.int32, [None], name="y")
        training = tf.placeholder_with_default(False, [], name="training")
        logits = logits_of(x, training)
        loss = loss_of(logits, y)
        correct = tf.equal(tf.argmax(logits, 1, output_type=tf.int32), y)
        accuracy = tf.reduce_mean(tf.cast(correct, tf.float32), name="accuracy")
        step = tf.train.get_or_create_global_step()
        rate = tf.train.exponential_decay(args.rate, step, 100, 0.9, staircase=True)
        train_op = train_op_of(loss, tf.train.AdamOptimizer(rate))
        tf.summary.scalar("loss", loss)
        tf.summary.histogram("logits", logits)
        summaries = tf.summary.merge_all()
        saver = tf.train.Saver(max_to_keep=2)

    config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False)
    config.gpu_options.allow_growth = True
    with tf.Session(graph=graph, config=config) as session:
        with graph.as_default():
            session.run(tf.global_variables_initializer())
        writer = tf.summary.FileWriter(args.folder, session.graph)
        for first in range(0, args.steps * args.batch_size, args.batch_size):
            batch = np.arange(first, first + args.batch_size) % len(labels)
            feed = {x: images[batch], y: labels[batch], training: True}
            _, value, now = session.run([train_op, loss, step], feed_dict=feed)
            if now % 10 == 0:
                written = session.run(summaries, feed)
                writer.add_summary(written, global_step=now)
                print(f"step {now}: {value:.3f}")
        writer.close()
        path = saver.save(session, os.path.join(args.folder, "model.ckpt"), global_step=step)
    with tf.Session(graph=graph) as session:
        saver.restore(session, tf.train.latest_checkpoint(args.folder))
        assert tf.train.checkpoint_exists(path)
        return session.run(accuracy, {x: images, y: labels})


def model_fn(features, labels, mode, params):
    """The same model for an Estimator."""
    logits = logits_of(features, mode == tf.estimator.ModeKeys.TRAIN, params["units"])
    classes = tf.argmax(logits, axis=1, output_type=tf.int32)
    predictions = {"classes": classes, "probabilities": tf.nn.softmax(logits)}
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=predictions)
    loss = loss_of(logits, labels)
    metrics = {"accuracy": tf.metrics.accuracy(labels, classes)}
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    optimizer = tf.train.MomentumOptimizer(params["rate"], momentum=0.9, use_nesterov=True)
    return tf.estimator.EstimatorSpec(
        mode,
        loss=loss,
        train_op=train_op_of(loss, optimizer),
        training_hooks=[StopAtLoss(loss, 1e-3)],
    )


def train_with_estimator(images, labels, args):
    """Training and evaluation; returns the metrics."""
    config = tf.estimator.RunConfig(tf_random_seed=1, save_checkpoints_steps=50)
    estimator = tf.estimator.Estimator(
        model_fn, os.path.join(args.folder, "estimator"), config, {"units": 16, "rate": args.rate}
    )
    estimator.train(lambda: input_fn(images, labels, args.batch_size, True), steps=args.steps)
    metrics = estimator.evaluate(lambda: input_fn(images, labels, args.batch_size, False))
    first = next(estimator.predict(lambda: input_fn(images, labels, args.batch_size, False)))
    tf.logging.info("the first digit is %d", first["classes"])
    return metrics


def main(arguments=None):
    """Trains both ways and prints the accuracies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch_size", type=int, default=32)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--folder", default="")
    args = parser.parse_args(arguments)
    args.folder = args.folder or tempfile.mkdtemp()
    tf.logging.set_verbosity(tf.logging.ERROR)
    images, labels = make_digits(256)
    accuracy = train_with_session(images, labels, args)
    print(f"accuracy of the session: {accuracy:.3f}")
    try:
        metrics = train_with_estimator(images, labels, args)
        print(f"accuracy of the estimator: {metrics['accuracy']:.3f}")
    except tf.errors.InvalidArgumentError as error:
        print(error.message, error.op and error.op.name)


if __name__ == "__main__":
    main()
