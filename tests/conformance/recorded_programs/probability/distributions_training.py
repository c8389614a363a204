"""Two programs of reinforcement learning and of latent variables with tf.distributions, a few steps each."""

import numpy as np


def policy(tf):
    states = tf.placeholder(tf.float32, [None, 3], name="states")
    advantages = tf.placeholder(tf.float32, [None], name="advantages")
    with tf.variable_scope("policy", initializer=tf.random_normal_initializer(stddev=0.3)):
        w = tf.get_variable("w", [3, 4])
        hidden = tf.nn.relu(tf.matmul(states, w))
        mu = tf.squeeze(tf.matmul(hidden, tf.get_variable("mu", [4, 1])), 1)
        sigma = tf.nn.softplus(tf.squeeze(tf.matmul(hidden, tf.get_variable("sigma", [4, 1])), 1))
        discrete = tf.distributions.Categorical(
            logits=tf.matmul(hidden, tf.get_variable("l", [4, 2]))
        )
    continuous = tf.contrib.distributions.Normal(mu, sigma + 1e-5)
    action = tf.clip_by_value(continuous.sample(1)[0], -1.0, 1.0)
    chosen = discrete.sample()
    log_prob = continuous.log_prob(tf.stop_gradient(action)) + discrete.log_prob(chosen)
    entropy = continuous.entropy() + discrete.entropy()
    loss = -tf.reduce_mean(log_prob * advantages + 0.01 * entropy)
    train = tf.train.AdamOptimizer(0.01).minimize(loss)
    rng = np.random.RandomState(3)
    feed = {states: rng.randn(4, 3), advantages: rng.randn(4)}
    return [loss, train], [mu, sigma, discrete.logits], feed


def latent(tf):
    x = tf.placeholder(tf.float32, [None, 5], name="pixels")
    with tf.variable_scope("latent", initializer=tf.random_normal_initializer(stddev=0.3)):
        mean = tf.matmul(x, tf.get_variable("mean", [5, 2]))
        scale = tf.exp(0.5 * tf.matmul(x, tf.get_variable("log_var", [5, 2])))
        posterior = tf.distributions.Normal(mean, scale, name="posterior")
        prior = tf.distributions.Normal(tf.zeros(2), tf.ones(2), name="prior")
        z = posterior.sample()
        decoded = tf.distributions.Bernoulli(tf.matmul(z, tf.get_variable("up", [2, 5])))
    likelihood = tf.reduce_sum(decoded.log_prob(x), 1)
    divergence = tf.reduce_sum(tf.distributions.kl_divergence(posterior, prior), 1)
    bound = tf.reduce_mean(likelihood - divergence)
    train = tf.train.RMSPropOptimizer(0.05).minimize(-bound)
    feed = {x: (np.random.RandomState(4).rand(6, 5) > 0.5).astype(np.float32)}
    return [bound, train], [mean, decoded.mean()], feed


def build(tf):
    steps = [("policy", *policy(tf)), ("latent", *latent(tf))]
    made = [("initialize", tf.global_variables_initializer())]
    for name, train, _, feed in steps:
        made += [(f"{name} {k}", train, feed) for k in range(3)]
    made += [(name + " at last", last, feed) for name, _, last, feed in steps]
    return {"steps": made}
