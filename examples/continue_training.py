"""Trains for a while, saves, and continues where it stopped when run again.

    python examples/continue_training.py [FOLDER]

Run it twice: the second run finds the checkpoint of the first and continues at its step, with the
optimizer's own variables. Kill it at any moment: the last checkpoint is complete. The folder (by default
one that is removed at the end, after a second run in the same process) holds TensorFlow's own files:
`tf.train.Saver` of TensorFlow 1.15 restores them too.
"""

import argparse
import tempfile

import numpy as np

import tfmini as tf

STEPS = 60  # of a run


def build():
    """A line through points, its loss and a training step."""
    random = np.random.RandomState(0)
    points = random.uniform(-1, 1, [200, 1]).astype(np.float32)
    x = tf.constant(points)
    y = tf.constant(3 * points - 1)
    slope = tf.get_variable("slope", [1, 1])
    offset = tf.get_variable("offset", [1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(x, slope) + offset - y))
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.05).minimize(loss, global_step=step)
    return loss, step, train


def run(folder):
    """STEPS more steps of the model in `folder`."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        loss, step, train = build()
        saver = tf.train.Saver(max_to_keep=2)
        latest = tf.train.latest_checkpoint(folder)
        if latest is None:
            session.run(tf.global_variables_initializer())
            print("begins")
        else:
            saver.restore(session, latest)
            print(f"goes on at step {session.run(step)}")
        for number in range(STEPS):
            session.run(train)
            if number % 20 == 19:
                saver.save(session, f"{folder}/line", global_step=step)
        print(f"step {session.run(step)}: loss {session.run(loss):.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", help="where the checkpoints are")
    folder = parser.parse_args().folder
    if folder:
        run(folder)
        return
    with tempfile.TemporaryDirectory() as folder:
        run(folder)
        run(folder)
        for name, shape in tf.train.list_variables(folder):
            print(name, shape)


if __name__ == "__main__":
    main()
