"""Matrix factors with biases, k-means by segments, a support vector machine, accumulated gradients."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(10)
    users = tf.placeholder(tf.int32, shape=[None], name="users")
    items = tf.placeholder(tf.int32, shape=[None], name="items")
    rates = tf.placeholder(tf.float32, shape=[None], name="rates")
    with tf.device("/cpu:0"):
        w_user = tf.get_variable(
            "w_user", [5, 3], initializer=tf.truncated_normal_initializer(stddev=0.2)
        )
        w_item = tf.get_variable(
            "w_item", [4, 3], initializer=tf.truncated_normal_initializer(stddev=0.2)
        )
        b_user = tf.get_variable("b_user", shape=[5])
        b_item = tf.get_variable("b_item", shape=[4])
        b_all = tf.get_variable("b_all", shape=[])
        pairs = [(w_user, users), (w_item, items), (b_user, users), (b_item, items)]
        e_user, e_item, be_user, be_item = (tf.nn.embedding_lookup(w, i) for w, i in pairs)
        inferred = tf.reduce_sum(tf.multiply(e_user, e_item), 1)
        inferred = tf.add(tf.add(tf.add(inferred, b_all), be_user), be_item, name="svd")
        regularizer = tf.add(tf.nn.l2_loss(e_user), tf.nn.l2_loss(e_item), name="regularizer")
        cost = tf.add(tf.nn.l2_loss(inferred - rates), tf.multiply(regularizer, 0.05))
        step = tf.train.get_or_create_global_step()
        factor = tf.train.FtrlOptimizer(0.1).minimize(cost, global_step=step)
        momentum = tf.train.MomentumOptimizer(0.01, 0.9).minimize(cost)
    points = tf.constant(rng.randn(12, 2), tf.float32)
    centers = tf.Variable(
        tf.slice(tf.random_shuffle(points, seed=1), [0, 0], [3, -1]), name="centers"
    )
    far = tf.reduce_sum(tf.square(tf.expand_dims(points, 0) - tf.expand_dims(centers, 1)), 2)
    nearest = tf.argmin(far, 0)
    totals = tf.unsorted_segment_sum(points, nearest, 3)
    counts = tf.unsorted_segment_sum(tf.ones([12, 1]), nearest, 3)
    moved = tf.assign(centers, totals / counts)
    parts = tf.dynamic_partition(points, tf.to_int32(nearest), 3)
    means = tf.concat([tf.expand_dims(tf.reduce_mean(part, 0), 0) for part in parts], 0)
    signs = tf.constant(np.sign(rng.randn(12, 1)), tf.float32)
    a = tf.Variable(tf.random_normal(shape=[2, 1]), name="a")
    b = tf.Variable(tf.random_normal(shape=[1, 1]), name="b")
    output = tf.subtract(tf.matmul(points, a), b)
    margin = tf.reduce_mean(tf.maximum(0.0, tf.subtract(1.0, tf.multiply(output, signs))))
    hinge = tf.add(margin, tf.multiply(tf.constant([0.1]), tf.reduce_sum(tf.square(a))))
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    found = optimizer.compute_gradients(hinge, [a, b])
    kept = [tf.Variable(tf.zeros_like(v.initialized_value()), trainable=False) for _, v in found]
    clear = [k.assign(tf.zeros_like(k)) for k in kept]
    add = [k.assign_add(g) for k, (g, _) in zip(kept, found)]
    apply = optimizer.apply_gradients([(k / 2.0, v) for k, (_, v) in zip(kept, found)])
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.sign(output), signs), tf.float32))
    feed = {users: [0, 1, 1, 4], items: [3, 0, 2, 3], rates: [5.0, 1.0, 3.0, 4.0]}
    steps = [("init", tf.global_variables_initializer()), ("centers", [centers, means])]
    for k in range(3):
        steps += [(f"factor {k}", factor, feed), (f"momentum {k}", momentum, feed)]
        steps += [(f"cost {k}", [cost, inferred], feed), (f"moved {k}", moved)]
        steps += [("clear", clear), ("add", add), ("add", add), ("apply", apply)]
        steps += [("hinge", [hinge, accuracy, a, b])]
    return {"steps": steps + [("end", [w_user, w_item, b_user, b_item, b_all, step, nearest])]}
