"""Lines, curves and classes fitted with tapes."""

import numpy as np

POINTS = np.random.RandomState(0).randn(64).astype("f")
NOISE = np.random.RandomState(1).randn(64).astype("f")


def line_by_gradient_tape(tf):
    weight, bias = tf.Variable(5.0), tf.Variable(0.0)
    outputs = POINTS * 3.0 + 2.0 + NOISE
    losses = []
    for _ in range(10):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(weight * POINTS + bias - outputs))
        by_weight, by_bias = tape.gradient(loss, [weight, bias])
        weight.assign_sub(0.1 * by_weight)
        bias.assign_sub(0.1 * by_bias)
        losses.append(loss)
    return {"losses": losses, "weight": weight, "bias": bias, "final": f"{losses[-1]:.3f}"}


def line_by_implicit_gradients(tf):
    tfe = tf.contrib.eager
    weight, bias = tfe.Variable(0.5, name="weight"), tfe.Variable(0.0, name="bias")

    def loss(inputs, outputs):
        return tf.reduce_sum(tf.pow(inputs * weight + bias - outputs, 2)) / (2 * 64)

    optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.3)
    gradient = tfe.implicit_gradients(loss)
    losses = [loss(POINTS, 2 * POINTS - 1)]
    for _ in range(8):
        optimizer.apply_gradients(gradient(POINTS, 2 * POINTS - 1))
        losses.append(loss(POINTS, 2 * POINTS - 1))
    return {"losses": losses, "weight": weight.numpy(), "bias": bias.numpy()}


def line_by_minimize_of_a_callable(tf):
    weight, bias = tf.Variable([[0.0]]), tf.Variable([0.0])
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.MomentumOptimizer(0.05, 0.9)

    def loss():
        return tf.losses.mean_squared_error(
            (3 * POINTS - 1)[:, None], tf.matmul(POINTS[:, None], weight) + bias
        )

    losses = []
    for _ in range(10):
        optimizer.minimize(loss, global_step=step)
        losses.append(loss())
    return {"losses": losses, "step": step, "slot": optimizer.get_slot(weight, "momentum")}


def parabola_by_second_derivatives(tf):
    """Newton's method: first and second derivatives from nested tapes."""
    position = tf.Variable(3.0)
    positions = []
    for _ in range(5):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                value = tf.exp(position) - 2.0 * position + 0.1 * position**4
            slope = inner.gradient(value, position)
        position.assign_sub(slope / outer.gradient(slope, position))
        positions.append(position.numpy())
    return {"places": positions, "value": value, "slope": slope}


def classes_of_flowers(tf):
    """Three point clouds, a small Keras network, shuffled batches, contrib metrics."""
    tfe = tf.contrib.eager
    tf.set_random_seed(1)
    labels = np.arange(90) % 3
    features = np.random.RandomState(2).randn(90, 4) + np.eye(3, 4)[labels] * 3
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(10, activation=tf.nn.relu, input_shape=(4,)),
            tf.keras.layers.Dense(10, activation=tf.nn.relu),
            tf.keras.layers.Dense(3),
        ]
    )
    optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.1)
    dataset = tf.data.Dataset.from_tensor_slices((features.astype("f"), labels.astype("i4")))
    dataset = dataset.shuffle(buffer_size=90, seed=3).batch(32)
    losses, accuracies = [], []
    for _ in range(5):
        mean, accuracy = tfe.metrics.Mean(), tfe.metrics.Accuracy()
        for inputs, expected in dataset:
            with tf.GradientTape() as tape:
                loss = tf.losses.sparse_softmax_cross_entropy(labels=expected, logits=model(inputs))
            gradients = tape.gradient(loss, model.variables)
            optimizer.apply_gradients(
                zip(gradients, model.variables), global_step=tf.train.get_or_create_global_step()
            )
            mean(loss)
            accuracy(tf.argmax(model(inputs), axis=1, output_type=tf.int32), expected)
        losses.append(mean.result())
        accuracies.append(accuracy.result())
    text = f"Loss: {losses[-1]:.2f}, Accuracy: {accuracies[-1]:.1%}"
    return {"losses": losses, "accuracies": accuracies, "text": text}


def gradients_of_several_losses(tf):
    """A persistent tape, unwatched tensors, and a layer's jacobian."""
    inputs = tf.constant([[1.0, 2.0], [3.0, -1.0]])
    kernel = tf.Variable([[0.5, -0.25, 1.0], [2.0, 0.0, -1.5]])
    still = tf.Variable(2.0, trainable=False)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(inputs)
        hidden = tf.tanh(tf.matmul(inputs, kernel)) * still
        first, second = tf.reduce_sum(hidden**2), tf.reduce_max(hidden, axis=1)
    return {
        "first": tape.gradient(first, [inputs, kernel]),
        "second": tape.gradient(second, kernel, output_gradients=tf.constant([1.0, 10.0])),
        "still": tape.gradient(first, still) is None,
        "zeros": tape.gradient(first, still, unconnected_gradients="zero"),
        "jacobian": tape.jacobian(second, kernel),
        "batch": tape.batch_jacobian(hidden, inputs),
    }
