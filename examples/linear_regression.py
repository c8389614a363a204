"""Fits a straight line to noisy points by gradient descent: a minimal training program.

    python examples/linear_regression.py

The program first builds the graph (what to compute), then runs it in a session (when, and with which values).
"""

import numpy as np

import tfmini as tf

SLOPE, OFFSET, NOISE = 2.0, -1.0, 0.1


def points(count, seed=0):
    """`count` points around the line y = SLOPE x + OFFSET: two float32 vectors, x and y."""
    random = np.random.RandomState(seed)
    x = random.uniform(-1, 1, count)
    y = SLOPE * x + OFFSET + NOISE * random.randn(count)
    return x.astype(np.float32), y.astype(np.float32)


def main():
    x = tf.placeholder(tf.float32, [None], name="x")
    y = tf.placeholder(tf.float32, [None], name="y")
    slope = tf.Variable(0.0, name="slope")
    offset = tf.Variable(0.0, name="offset")
    loss = tf.reduce_mean(tf.square(slope * x + offset - y), name="loss")
    train = tf.train.GradientDescentOptimizer(learning_rate=0.5).minimize(loss)

    xs, ys = points(200)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(1, 51):
            _, error = session.run([train, loss], feed_dict={x: xs, y: ys})
            if step in (1, 5, 10, 50):
                print(f"step {step:2d}: loss {error:.4f}")
        fitted = session.run({"slope": slope, "offset": offset})

    print("y = {slope:.2f} x {offset:+.2f}".format(**fitted))


if __name__ == "__main__":
    main()
