import numpy as np

import tfmini as tf


def variable(name, shape):
    with tf.device("/cpu:0"):
        return tf.get_variable(name, shape, initializer=tf.constant_initializer(0.5))


def tower_loss(scope, x, y):
    prediction = tf.squeeze(tf.matmul(x, variable("w", [3, 1])), 1) + variable("b", [])
    tf.add_to_collection("losses", tf.reduce_mean(tf.square(prediction - y), name="mean_square"))
    losses = tf.get_collection("losses", scope)
    print([loss.name for loss in losses])
    return tf.add_n(losses, name="total_loss")


def average_gradients(tower_grads):
    average = []
    for grads_and_vars in zip(*tower_grads):
        grads = [tf.expand_dims(g, 0) for g, _ in grads_and_vars]
        grad = tf.reduce_mean(tf.concat(grads, 0), 0)
        average.append((grad, grads_and_vars[0][1]))
    return average


towers = []
tower_grads = []
with tf.device("/cpu:0"):
    global_step = tf.get_variable(
        "global_step", [], tf.int64, tf.constant_initializer(0), trainable=False
    )
    opt = tf.train.GradientDescentOptimizer(0.1)
with tf.variable_scope(tf.get_variable_scope()):
    for i in range(2):
        with tf.device(f"/gpu:{i}"):
            with tf.name_scope(f"tower_{i}") as scope:
                x = tf.placeholder(tf.float32, [None, 3], name="x")
                y = tf.placeholder(tf.float32, [None], name="y")
                loss = tower_loss(scope, x, y)
                tf.get_variable_scope().reuse_variables()
                tower_grads.append(opt.compute_gradients(loss))
                tf.add_to_collection("models", (x, y, loss))
                print(loss.name, loss.device, len(tf.get_collection("losses", scope)))
grads = average_gradients(tower_grads)
train_op = opt.apply_gradients(grads, global_step=global_step)
print([v.op.name for v in tf.trainable_variables()], [v.device for v in tf.trainable_variables()])
print([(g.name, g.device) for g, _ in grads])

random = np.random.RandomState(0)
true = np.array([1.0, -2.0, 3.0], np.float32)
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(5):
        feed_dict = {}
        for x, y, _ in tf.get_collection("models"):
            batch = random.rand(8, 3).astype(np.float32)
            feed_dict[x] = batch
            feed_dict[y] = batch.dot(true) + 1.0
        losses = [loss for _, _, loss in tf.get_collection("models")]
        values, _ = sess.run([losses, train_op], feed_dict)
        print([round(float(v), 4) for v in values])
    print(sess.run(global_step), [v.shape for v in sess.run(tf.trainable_variables())])
