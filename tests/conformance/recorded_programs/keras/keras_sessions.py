"""Keras layers and losses in a session.run loop, with a tf.train optimizer and a fed learning phase."""

import numpy as np

from tests.conformance.recorded_programs.keras._keras import data

TOLERANCE = 5e-4  # for trained weights


def build(tf):
    keras, layers, K = tf.keras, tf.keras.layers, tf.keras.backend
    image = tf.placeholder(tf.float32, (None, 4), "image")
    label = tf.placeholder(tf.int64, (None,), "label")
    hidden = layers.Dense(8, activation=tf.nn.tanh, name="hidden")(image)
    hidden = layers.BatchNormalization(name="norm")(hidden)
    hidden = layers.Dropout(0.4, seed=9)(hidden)
    logits = layers.Dense(3, name="logits", kernel_regularizer=keras.regularizers.l2(0.01))(hidden)
    loss = tf.reduce_mean(
        keras.losses.sparse_categorical_crossentropy(label, logits, from_logits=True)
    )
    step = tf.train.get_or_create_global_step()
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss, global_step=step)
    right = keras.metrics.sparse_categorical_accuracy(label, tf.nn.softmax(logits))
    start = tf.global_variables_initializer()
    x, y = data(20)

    def trained(session):
        K.set_session(session)
        session.run(start)
        losses = []
        for _ in range(5):
            feeds = {image: x, label: y, K.learning_phase(): 1}
            losses.append(session.run([loss, train], feeds)[0])
        found = session.run([right, loss], {image: x, label: y, K.learning_phase(): 0})
        return [np.array(losses), found, [K.get_value(v) for v in tf.trainable_variables()]]

    gradients = K.gradients(loss, [image, hidden])
    facts = {
        "variables": [v.name for v in tf.global_variables()],
        "trained": [v.name for v in tf.trainable_variables()],
        "updates": [op.name for op in tf.get_collection(tf.GraphKeys.UPDATE_OPS)],
        "regularization": len(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)),
        "gradients": [g.name for g in gradients],
    }
    return {"facts": facts, "steps": [("training", trained)]}
