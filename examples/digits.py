"""Classifies handwritten digits: the 1,797 scans of 8 x 8 pixels shipped with scikit-learn.

One hidden layer with dropout, trained by Adam with a decaying learning rate on four fifths of the scans; the others are
the test set.

    python examples/digits.py                    # takes a few seconds
    python examples/digits.py --plot digits.png  # draws the loss and the misclassified digits
"""

import argparse

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tqdm import tqdm

import tfmini as tf

PIXELS, HIDDEN, CLASSES = 64, 256, 10


def load():
    """The scans as [n, 64] floats from 0 to 1 and their digits as [n] ints, split 80 to 20."""
    digits = load_digits()
    pixels = (digits.data / 16).astype(np.float32)
    return train_test_split(pixels, digits.target.astype(np.int32), test_size=0.2, random_state=0)


def dense(name, x, units):
    """x @ weights + biases, with variables of the scope `name`."""
    with tf.variable_scope(name):
        weights = tf.get_variable("weights", [x.shape[1], units])
        biases = tf.get_variable("biases", [units], initializer=tf.zeros_initializer())
        return tf.nn.bias_add(tf.matmul(x, weights), biases)


class Reader:
    """The graph: feeds, training operation, outputs."""

    def __init__(self, steps_an_epoch):
        self.pixels = tf.placeholder(tf.float32, [None, PIXELS], name="pixels")
        self.digits = tf.placeholder(tf.int32, [None], name="digits")
        self.dropout = tf.placeholder(tf.float32, [], name="dropout")

        hidden = tf.nn.relu(dense("hidden", self.pixels, HIDDEN))
        logits = dense("output", tf.nn.dropout(hidden, rate=self.dropout), CLASSES)

        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=self.digits, logits=logits)
        self.loss = tf.reduce_mean(losses, name="loss")
        self.guess = tf.argmax(logits, axis=1, output_type=tf.int32, name="guess")
        right = tf.cast(tf.equal(self.guess, self.digits), tf.float32)
        self.accuracy = tf.reduce_mean(right, name="accuracy")

        step = tf.train.get_or_create_global_step()
        self.rate = tf.train.exponential_decay(3e-3, step, 10 * steps_an_epoch, 0.7, staircase=True)
        self.train = tf.train.AdamOptimizer(self.rate).minimize(self.loss, global_step=step)


def batches(pixels, digits, size, random):
    """The training set once, in a new order, `size` scans at a time."""
    order = random.permutation(len(pixels))
    for start in range(0, len(order), size):
        chosen = order[start : start + size]
        yield pixels[chosen], digits[chosen]


def plot(path, losses, pixels, digits, guesses):
    """Draws the loss of each epoch, and below it the misclassified digits (at most twelve)."""
    from matplotlib.figure import Figure  # noqa: PLC0415  only a plot needs it

    missed = np.flatnonzero(digits != guesses)[:12]
    figure = Figure(figsize=(9, 5), layout="constrained")
    grid = figure.add_gridspec(2, max(len(missed), 1), height_ratios=[3, 1])
    curve = figure.add_subplot(grid[0, :])
    curve.plot(np.arange(1, len(losses) + 1), losses)
    curve.set(xlabel="epoch", ylabel="cross entropy", yscale="log", title="training loss")
    for column, index in enumerate(missed):
        scan = figure.add_subplot(grid[1, column])
        scan.imshow(pixels[index].reshape(8, 8), cmap="gray_r")
        scan.set(xticks=[], yticks=[], title=f"{digits[index]} read\nas {guesses[index]}")
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--batch", type=int, default=50, help="scans per step")
    parser.add_argument("--plot", metavar="FILE", help="plot the loss and the misclassified digits")
    options = parser.parse_args()

    train_pixels, test_pixels, train_digits, test_digits = load()
    random = np.random.RandomState(0)
    tf.set_random_seed(0)
    reader = Reader(steps_an_epoch=-(-len(train_pixels) // options.batch))

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        losses = []
        progress = tqdm(range(options.epochs), desc="training", unit="epoch")
        for _ in progress:
            seen = []
            for pixels, digits in batches(train_pixels, train_digits, options.batch, random):
                feed = {reader.pixels: pixels, reader.digits: digits, reader.dropout: 0.4}
                _, loss = session.run([reader.train, reader.loss], feed)
                seen.append(loss)
            losses.append(np.mean(seen))
            progress.set_postfix(loss=f"{losses[-1]:.4f}")

        feed = {reader.pixels: test_pixels, reader.digits: test_digits, reader.dropout: 0.0}
        accuracy, guesses = session.run([reader.accuracy, reader.guess], feed)

    if options.plot:
        plot(options.plot, losses, test_pixels, test_digits, guesses)
    print(f"test accuracy: {accuracy:.3f}")


if __name__ == "__main__":
    main()
