"""Trained normalizing flows: masked autoregressive, RealNVP, with batch normalization between them."""

import numpy as np

TOLERANCE = 1e-4  # float32, after three steps

X = np.float32([[0.2, 0.7, 0.4], [0.5, -0.1, 0.9], [-1.0, 0.3, 0.0], [1.5, -0.4, 0.2]])


def build(tf):
    c = tf.contrib.distributions
    b = c.bijectors
    tf.set_random_seed(5)
    rows = tf.placeholder(tf.float32, [None, 3], name="rows")
    start = tf.random_normal_initializer(stddev=0.3)
    net = b.masked_autoregressive_default_template([6, 6], kernel_initializer=start)
    flow = b.MaskedAutoregressiveFlow(net)
    shift = b.masked_autoregressive_default_template(
        [3], shift_only=True, activation=tf.tanh, log_scale_clip_gradient=True, name="shift"
    )
    masked = b.MaskedAutoregressiveFlow(shift, is_constant_jacobian=True, unroll_loop=True)
    coupled = b.RealNVP(1, b.real_nvp_default_template([4], name="coupling"))
    moved = b.RealNVP(2, b.real_nvp_default_template([4], shift_only=True), name="moved")
    layer = tf.layers.BatchNormalization(
        momentum=0.5, gamma_constraint=lambda x: tf.nn.relu(x) + 1e-6
    )
    normal = b.BatchNormalization(layer)
    chain = b.Chain([flow, b.Permute([2, 0, 1]), normal, coupled])
    base = c.MultivariateNormalDiag([0.0, 0.0, 0.0])
    target = c.TransformedDistribution(base, chain, name="target")
    data = tf.constant(X)
    loss = -tf.reduce_mean(target.log_prob(data))
    values = [flow.forward(rows), flow.inverse(rows), flow.inverse_log_det_jacobian(rows, 1)]
    values += [masked.forward(data), masked.inverse(rows), masked.inverse_log_det_jacobian(rows, 1)]
    values += [moved.forward(rows), moved.inverse(rows), moved.forward_log_det_jacobian(rows, 1)]
    values += [coupled.forward(rows), coupled.forward_log_det_jacobian(rows, 1)]
    values += [normal.forward(data)]
    alone = normal.forward_log_det_jacobian(
        data, 1
    )  # TensorFlow's optimizer changes its sign next to others
    values += [target.sample(2, seed=7)]
    exclusive = b.masked_dense(rows, 6, num_blocks=3, exclusive=True, name="dense", use_bias=False)
    values += [exclusive]
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    feed = {rows: X + 0.5}
    steps = [("init", tf.global_variables_initializer())]
    for k in range(3):
        steps += [(f"train {k}", [loss, train, updates]), (f"values {k}", values, feed)]
        steps += [(f"alone {k}", alone)]
    return {
        "facts": {"names": [v.name for v in tf.global_variables()], "chain": chain.name},
        "steps": steps,
    }
