"""Q-learning with a target network: copies by assign, one_hot selection, Huber loss, policies."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(7)
    state = tf.placeholder(tf.float32, [None, 3], name="state")
    following = tf.placeholder(tf.float32, [None, 3], name="following")
    action = tf.placeholder(tf.int32, [None], name="action")
    reward = tf.placeholder(tf.float32, [None], name="reward")
    done = tf.placeholder(tf.bool, [None], name="done")

    def network(x, scope, trainable=True):
        names = [scope + "_params", tf.GraphKeys.GLOBAL_VARIABLES]
        if trainable:
            names.append(tf.GraphKeys.TRAINABLE_VARIABLES)
        with tf.variable_scope(scope):
            w1 = tf.get_variable("w1", [3, 5], collections=names)
            b1 = tf.get_variable(
                "b1", [1, 5], collections=names, initializer=tf.zeros_initializer()
            )
            hidden = tf.nn.relu(tf.matmul(x, w1) + b1)
            value = tf.matmul(hidden, tf.get_variable("v", [5, 1], collections=names))
            advantage = tf.matmul(hidden, tf.get_variable("a", [5, 2], collections=names))
            return value + (advantage - tf.reduce_mean(advantage, axis=1, keepdims=True))

    q = network(state, "eval")
    q_next = tf.stop_gradient(network(following, "target", trainable=False))
    best = tf.where(done, tf.zeros_like(reward), tf.reduce_max(q_next, axis=1))
    target = reward + 0.9 * best
    chosen = tf.reduce_sum(q * tf.one_hot(action, 2, dtype=tf.float32), axis=1)
    gathered = tf.gather_nd(q, tf.stack([tf.range(tf.shape(action)[0]), action], axis=1))
    error = tf.abs(target - chosen)
    huber = tf.reduce_mean(tf.where(error < 1.0, 0.5 * tf.square(error), error - 0.5))
    step = tf.train.RMSPropOptimizer(0.01, 0.99, epsilon=0.01).minimize(huber)
    pairs = zip(tf.get_collection("target_params"), tf.get_collection("eval_params"))
    copy = [tf.assign(t, e) for t, e in pairs]
    soft = [
        tf.assign(t, 0.9 * t + 0.1 * e)
        for t, e in zip(tf.get_collection("target_params"), tf.get_collection("eval_params"))
    ]
    policy = tf.nn.softmax(q)
    entropy = -tf.reduce_sum(policy * tf.log(policy + 1e-8), axis=1)
    log_prob = tf.log(tf.reduce_sum(policy * tf.one_hot(action, 2), axis=1))
    negative = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=action, logits=q)
    reinforce = -tf.reduce_mean(log_prob * reward + 0.01 * entropy)
    # A policy does not depend on the state's value: that gradient is pure rounding error.
    learned = [v for v in tf.get_collection("eval_params") if v.op.name != "eval/v"]
    learn = tf.train.AdamOptimizer(0.01).minimize(reinforce, var_list=learned)
    sampled = tf.multinomial(tf.log(policy), 3, seed=4)
    greedy = tf.argmax(q, axis=1)
    feed = {
        state: rng.randn(4, 3), following: rng.randn(4, 3), action: [0, 1, 1, 0],
        reward: [1.0, -1.0, 0.5, 2.0], done: [False, True, False, False],
    }  # fmt: skip
    steps = [("init", tf.global_variables_initializer()), ("copy", copy)]
    steps += [("picked", [chosen, gathered, negative, greedy], feed), ("sampled", sampled, feed)]
    for k in range(3):
        steps += [(f"step {k}", [step, huber], feed), (f"soft {k}", soft)]
        steps += [(f"learn {k}", [learn, entropy], feed)]
    return {"steps": steps + [("end", tf.global_variables())]}
