"""A generator against a discriminator: scopes with reuse, variables by scope, two optimizers."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(6)
    real = tf.placeholder(tf.float32, [None, 4], name="real")
    noise = tf.placeholder(tf.float32, [None, 3], name="noise")

    def dense(x, size, name, activation=tf.identity):
        with tf.variable_scope(name):
            w = tf.get_variable(
                "w", [x.get_shape()[1], size], initializer=tf.random_normal_initializer(stddev=0.1)
            )
            b = tf.get_variable("b", [size], initializer=tf.constant_initializer(0.0))
            return activation(tf.nn.xw_plus_b(x, w, b))

    def generator(z):
        with tf.variable_scope("generator"):
            return dense(dense(z, 6, "hidden", tf.nn.relu), 4, "out", tf.tanh)

    def discriminator(x, reuse=None):
        with tf.variable_scope("discriminator", reuse=reuse):
            hidden = dense(x, 6, "hidden", lambda t: tf.maximum(0.2 * t, t))
            return dense(hidden, 1, "out")

    fake = generator(noise)
    on_real, on_fake = discriminator(real), discriminator(fake, reuse=True)
    cross = tf.nn.sigmoid_cross_entropy_with_logits
    d_loss = tf.reduce_mean(cross(logits=on_real, labels=tf.ones_like(on_real) * 0.9))
    d_loss += tf.reduce_mean(cross(logits=on_fake, labels=tf.zeros_like(on_fake)))
    g_loss = tf.reduce_mean(cross(logits=on_fake, labels=tf.ones_like(on_fake)))
    t_vars = tf.trainable_variables()
    d_vars = [v for v in t_vars if v.name.startswith("discriminator/")]
    g_vars = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="generator")
    d_step = tf.train.AdamOptimizer(2e-3, beta1=0.5).minimize(d_loss, var_list=d_vars)
    g_step = tf.train.AdamOptimizer(2e-3, beta1=0.5).minimize(g_loss, var_list=g_vars)
    clip = tf.group(*[v.assign(tf.clip_by_value(v, -0.1, 0.1)) for v in d_vars])
    between = tf.random_uniform([5, 1]) * real + (1.0 - 0.5) * fake
    slope = tf.gradients(discriminator(between, reuse=True), [between])[0]
    penalty = tf.reduce_mean((tf.sqrt(tf.reduce_sum(slope**2, axis=1)) - 1.0) ** 2)
    p_step = tf.train.RMSPropOptimizer(1e-3).minimize(10.0 * penalty, var_list=d_vars)
    feed = {real: rng.rand(5, 4), noise: rng.uniform(-1, 1, [5, 3])}
    steps = [("init", tf.global_variables_initializer())]
    for k in range(3):
        steps += [(f"d {k}", [d_step, d_loss], feed), (f"g {k}", [g_step, g_loss], feed)]
        steps += [(f"p {k}", [p_step, penalty], feed), (f"losses {k}", [d_loss, g_loss], feed)]
    steps += [("clip", clip), ("end", t_vars)]
    return {"facts": {"vars": [[v.name for v in d_vars], [v.name for v in g_vars]]}, "steps": steps}
