"""Trains for a while, saves, and resumes from the checkpoint when run again.

    python examples/continue_training.py [FOLDER]

Run it twice: the second run finds the first one's checkpoint and continues at its step, with the optimizer's variables.
Kill it at any time: the last checkpoint is complete. FOLDER (by default a temporary one, used by two runs in the same
process) contains TensorFlow's files, which `tf.train.Saver` of TensorFlow 1.15 can restore.
"""

import argparse
import tempfile

import numpy as np

import tfmini as tf

STEPS = 60  # per run


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
    """Trains the model in `folder` for STEPS more steps."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        loss, step, train = build()
        saver = tf.train.Saver(max_to_keep=2)
        latest = tf.train.latest_checkpoint(folder)
        if latest is None:
            session.run(tf.global_variables_initializer())
            print("starting")
        else:
            saver.restore(session, latest)
            print(f"resuming at step {session.run(step)}")
        for number in range(STEPS):
            session.run(train)
            if number % 20 == 19:
                saver.save(session, f"{folder}/line", global_step=step)
        print(f"step {session.run(step)}: loss {session.run(loss):.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", help="checkpoint directory")
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
