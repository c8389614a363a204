"""tf.nn.max_pool and avg_pool: their arguments, static shapes, gradients of both orders, a small trained network."""

import numpy as np


def build(tf):
    nn = tf.nn
    rng = np.random.RandomState(4)
    x = tf.placeholder(tf.float32, [None, 9, 7, 2], name="x")
    anything = tf.placeholder(tf.float32, None, name="anything")
    two = [1, 2, 2, 1]
    outputs = []
    for pool in (nn.max_pool, nn.avg_pool):
        outputs += [
            pool(x, two, two, "SAME"),
            pool(x, [1, 3, 2, 1], [1, 1, 2, 1], "VALID", name="named"),
            pool(x, 2, [3, 1], "SAME", data_format=None),
            pool(input=x, ksize=[3], strides=1, padding="VALID", value=None),
            pool(anything, two, (1, 2, 2, 1), "SAME"),
        ]
    outputs += [
        nn.max_pool2d(x, 2, 2, "SAME"),
        nn.avg_pool2d(x, 2, 2, "SAME", name="named_2d"),
        nn.max_pool(x, [1, 1, 1, 2], [1, 1, 1, 2], "SAME"),
        nn.max_pool(tf.cast(x, tf.int32), 2, 2, "VALID"),
    ]
    sums = [tf.reduce_sum(tf.square(outputs[n])) for n in (0, 1, 2, 5, 6, 7)]
    first = [tf.gradients(s, [x])[0] for s in sums]
    second = [tf.gradients(tf.reduce_sum(tf.square(g)), [x])[0] for g in first]
    with tf.variable_scope("net"):
        w = tf.get_variable("w", [3, 3, 2, 4])
        hidden = nn.max_pool(nn.relu(nn.conv2d(x, w, 1, "SAME")), 2, 2, "SAME")
        hidden = nn.avg_pool(hidden, [1, 3, 3, 1], two, "VALID")
        loss = tf.reduce_mean(tf.square(tf.reduce_sum(hidden, [1, 2, 3]) - 1.0))
        train = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)
    feed = {x: rng.randn(3, 9, 7, 2), anything: rng.randn(2, 5, 4, 3)}
    steps = [
        ("initialize", tf.global_variables_initializer()),
        ("pooled", outputs, feed),
        ("gradients", [*first, *second], feed),
    ]
    for number in range(3):
        steps.append((f"train {number}", train, feed))
        steps.append((f"loss {number}", [loss, w], feed))
    return {"steps": steps}
