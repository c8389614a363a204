"""Compresses handwritten digits to two numbers: an autoencoder of scikit-learn's 1,797 scans of 8 x 8 pixels.

One half of the network encodes the 64 pixels of a scan as two numbers, the other half reconstructs the scan from them.
It is trained without labels; still, the digits form clusters in the plane of the two numbers.

    python examples/autoencoder.py                          # takes a few seconds
    python examples/autoencoder.py --plot autoencoder.png   # draws the plane, and scans next to their reconstructions
"""

import argparse

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split
from tqdm import tqdm

import tfmini as tf

PIXELS, HIDDEN, CODE = 64, (128, 32), 2


def load():
    """The scans as [n, 64] floats from 0 to 1 and their digits, split 80 to 20."""
    digits = load_digits()
    pixels = (digits.data / 16).astype(np.float32)
    return train_test_split(pixels, digits.target, test_size=0.2, random_state=0)


def layers(x, sizes, last):
    """Dense layers of these sizes, with `last` as the activation of the last one."""
    for number, size in enumerate(sizes):
        activation = last if number == len(sizes) - 1 else tf.nn.elu
        x = tf.layers.dense(x, size, activation, name=f"layer{number}")
    return x


class Autoencoder:
    """The graph: feeds, training operation, outputs."""

    def __init__(self):
        self.pixels = tf.placeholder(tf.float32, [None, PIXELS], name="pixels")
        self.rate = tf.placeholder(tf.float32, [], name="rate")
        with tf.variable_scope("encoder"):
            self.code = layers(self.pixels, [*HIDDEN, CODE], None)
        with tf.variable_scope("decoder"):
            self.copy = layers(self.code, [*HIDDEN[::-1], PIXELS], tf.sigmoid)
        self.error = tf.losses.mean_squared_error(self.pixels, self.copy)
        self.mean_error, self.measure = tf.metrics.mean_squared_error(self.pixels, self.copy)
        self.train = tf.train.AdamOptimizer(self.rate).minimize(tf.losses.get_total_loss())


def plot(path, codes, digits, pixels, copies):
    """Draws the digits in the plane of the two numbers, and some scans above their reconstructions."""
    from matplotlib.figure import Figure  # noqa: PLC0415  only a plot needs it

    figure = Figure(figsize=(9, 7), layout="constrained")
    grid = figure.add_gridspec(3, 10, height_ratios=[5, 1, 1])
    plane = figure.add_subplot(grid[0, :])
    points = plane.scatter(
        codes[:, 0], codes[:, 1], c=digits, cmap="tab10", vmin=-0.5, vmax=9.5, s=14
    )
    figure.colorbar(points, ax=plane, ticks=range(10), label="digit")
    plane.set(title="held-out scans, by the two numbers that they are squeezed into")
    for digit in range(10):
        place = int(np.flatnonzero(digits == digit)[0])
        for row, image in ((1, pixels[place]), (2, copies[place])):
            scan = figure.add_subplot(grid[row, digit])
            scan.imshow(image.reshape(8, 8), cmap="gray_r", vmin=0, vmax=1)
            scan.set(xticks=[], yticks=[])
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--epochs", type=int, default=120)
    parser.add_argument("--batch", type=int, default=50, help="scans per step")
    parser.add_argument("--plot", metavar="FILE", help="plot the codes and some reconstructions")
    options = parser.parse_args()

    train_pixels, test_pixels, _, test_digits = load()
    random = np.random.RandomState(0)
    tf.set_random_seed(0)
    model = Autoencoder()

    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        progress = tqdm(range(options.epochs), desc="training", unit="epoch")
        for epoch in progress:
            rate = 3e-3 if epoch < options.epochs * 0.7 else 5e-4
            order = random.permutation(len(train_pixels))
            for start in range(0, len(order), options.batch):
                chosen = train_pixels[order[start : start + options.batch]]
                _, error = session.run(
                    [model.train, model.error], {model.pixels: chosen, model.rate: rate}
                )
            progress.set_postfix(error=f"{error:.4f}")

        codes, copies, _ = session.run(
            [model.code, model.copy, model.measure], {model.pixels: test_pixels}
        )
        error = session.run(model.mean_error)

    if options.plot:
        plot(options.plot, codes, test_digits, test_pixels, copies)
    flat = PCA(CODE).fit(train_pixels)
    flat_error = np.mean((flat.inverse_transform(flat.transform(test_pixels)) - test_pixels) ** 2)
    print(f"squared error per pixel: {error:.4f}, with two principal components: {flat_error:.4f}")


if __name__ == "__main__":
    main()
