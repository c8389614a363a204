"""Classifies handwritten digits with a convolutional network: scikit-learn's 1,797 scans of 8 x 8 pixels.

As in LeNet and AlexNet: two convolutions, each with ReLU, local response normalization and max pooling, then a dense
layer with dropout. Four fifths of the scans are the training set, the others the test set.

    python examples/digits_convnet.py                      # takes about ten seconds
    python examples/digits_convnet.py --plot convnet.png   # draws filters and the confusion matrix
"""

import argparse

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tqdm import tqdm

import tfmini as tf

SIDE, CLASSES = 8, 10
FILTERS, HIDDEN = (32, 64), 128


def load():
    """The scans as [n, 8, 8, 1] floats from 0 to 1 and their digits as [n] ints, split 80 to 20."""
    digits = load_digits()
    pixels = (digits.images / 16).astype(np.float32)[..., None]
    return train_test_split(pixels, digits.target.astype(np.int32), test_size=0.2, random_state=0)


def variables(shape, fan_in):
    """Weights for ReLU units with this many inputs, and biases a little above 0."""
    start = tf.truncated_normal_initializer(stddev=np.sqrt(2.0 / fan_in))
    weights = tf.get_variable("weights", shape, initializer=start)
    biases = tf.get_variable("biases", shape[-1:], initializer=tf.constant_initializer(0.01))
    return weights, biases


def convolve(name, images, filters):
    """ReLU of a 3 x 3 convolution, normalized over neighbouring filters and max pooled to half the size."""
    with tf.variable_scope(name):
        channels = int(images.shape[3])
        weights, biases = variables([3, 3, channels, filters], 9 * channels)
        maps = tf.nn.conv2d(images, weights, strides=[1, 1, 1, 1], padding="SAME")
        maps = tf.nn.relu(tf.nn.bias_add(maps, biases))
        maps = tf.nn.lrn(maps, depth_radius=4, bias=1.0, alpha=0.001 / 9.0, beta=0.75)
        return tf.nn.max_pool(maps, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), weights


class Reader:
    """The graph: feeds, training operation, outputs."""

    def __init__(self):
        self.pixels = tf.placeholder(tf.float32, [None, SIDE, SIDE, 1], name="pixels")
        self.digits = tf.placeholder(tf.int32, [None], name="digits")
        self.dropout = tf.placeholder_with_default(0.0, [], name="dropout")
        self.rate = tf.placeholder(tf.float32, [], name="rate")

        maps, self.filters = convolve("conv1", self.pixels, FILTERS[0])
        maps, _ = convolve("conv2", maps, FILTERS[1])
        flat = tf.reshape(maps, [-1, int(np.prod(maps.shape[1:].as_list()))])
        with tf.variable_scope("hidden"):
            weights, biases = variables([flat.shape[1], HIDDEN], int(flat.shape[1]))
            hidden = tf.nn.relu(tf.nn.xw_plus_b(flat, weights, biases))
        with tf.variable_scope("output"):
            weights, biases = variables([HIDDEN, CLASSES], HIDDEN)
            logits = tf.nn.xw_plus_b(tf.nn.dropout(hidden, rate=self.dropout), weights, biases)

        self.loss = tf.losses.sparse_softmax_cross_entropy(self.digits, logits)
        guess = tf.argmax(logits, axis=1, output_type=tf.int32)
        self.accuracy = tf.reduce_mean(tf.cast(tf.equal(guess, self.digits), tf.float32))
        self.confusion = tf.math.confusion_matrix(self.digits, guess, CLASSES)
        self.train = tf.train.AdamOptimizer(self.rate).minimize(self.loss)


def plot(path, filters, confusion):
    """Draws the filters of the first layer, and the confusion matrix."""
    from matplotlib.figure import Figure  # noqa: PLC0415  only a plot needs it

    figure = Figure(figsize=(10, 5), layout="constrained")
    left, right = figure.subfigures(1, 2)
    left.suptitle("filters of the first layer")
    limit = np.abs(filters).max()
    for number, axes in enumerate(left.subplots(4, 8).flat):
        axes.imshow(filters[:, :, 0, number], cmap="RdBu", vmin=-limit, vmax=limit)
        axes.set(xticks=[], yticks=[])
    axes = right.subplots()
    axes.imshow(np.log1p(confusion), cmap="Greys")
    for row, column in zip(*np.nonzero(confusion)):
        color = "white" if row == column else "tab:red"
        axes.text(column, row, confusion[row, column], ha="center", va="center", color=color)
    axes.set(xticks=range(CLASSES), yticks=range(CLASSES), xlabel="read as", ylabel="digit")
    axes.set(title="held-out scans")
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch", type=int, default=50, help="scans per step")
    parser.add_argument("--plot", metavar="FILE", help="plot filters and the confusion matrix")
    options = parser.parse_args()

    train_pixels, test_pixels, train_digits, test_digits = load()
    random = np.random.RandomState(0)
    tf.set_random_seed(0)
    reader = Reader()

    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        progress = tqdm(range(options.epochs), desc="training", unit="epoch")
        for epoch in progress:
            rate = 2e-3 * 0.9**epoch
            order = random.permutation(len(train_pixels))
            for start in range(0, len(order), options.batch):
                chosen = order[start : start + options.batch]
                feed = {reader.pixels: train_pixels[chosen], reader.digits: train_digits[chosen]}
                feed.update({reader.dropout: 0.4, reader.rate: rate})
                _, loss = session.run([reader.train, reader.loss], feed)
            progress.set_postfix(loss=f"{loss:.4f}")
        feed = {reader.pixels: test_pixels, reader.digits: test_digits}
        accuracy, confusion = session.run([reader.accuracy, reader.confusion], feed)
        filters = session.run(reader.filters)

    if options.plot:
        plot(options.plot, filters, confusion)
    print(f"test accuracy: {accuracy:.3f}")


if __name__ == "__main__":
    main()
