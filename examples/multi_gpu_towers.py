"""One model on several GPUs: each computes the gradients of its share of a batch; their averages update the variables.

The variables are on the CPU; each GPU's tower has its own copy of the operations, in a name scope and under
`tf.device`. On a machine with fewer GPUs, or none, soft placement moves the towers to the CPU: the same script yields
the same numbers.

    python examples/multi_gpu_towers.py                    # two towers
    CUDA_VISIBLE_DEVICES=0,1 python examples/multi_gpu_towers.py --placement
    python examples/multi_gpu_towers.py --virtual 2        # two logical GPUs on one physical GPU
    python examples/multi_gpu_towers.py --hard             # fails if a GPU is missing
"""

import argparse

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tqdm import trange

import tfmini as tf

PIXELS, HIDDEN, CLASSES = 64, 128, 10


def variable(name, shape, initializer):
    """A variable on the CPU, where all towers read it."""
    with tf.device("/cpu:0"):
        return tf.get_variable(name, shape, initializer=initializer)


def dense(name, x, units):
    with tf.variable_scope(name):
        inputs = int(x.shape[1])
        deviation = (2.0 / inputs) ** 0.5
        weights = variable(
            "weights", [inputs, units], tf.truncated_normal_initializer(stddev=deviation, seed=1)
        )
        biases = variable("biases", [units], tf.zeros_initializer())
        return tf.nn.bias_add(tf.matmul(x, weights), biases)


def inference(pixels):
    """[n, 64] pixels to [n, 10] logits."""
    return dense("output", tf.nn.relu(dense("hidden", pixels, HIDDEN)), CLASSES)


def tower_loss(scope, pixels, digits):
    """The loss on one tower's share; the name scope identifies its entries in the collection."""
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=digits, logits=inference(pixels))
    tf.add_to_collection("losses", tf.reduce_mean(losses, name="cross_entropy"))
    return tf.add_n(tf.get_collection("losses", scope), name="total_loss")


def average_gradients(tower_gradients):
    """From each tower's [(gradient, variable), ...] to one such list with the gradients' means."""
    averaged = []
    for pairs in zip(*tower_gradients):
        gradients = tf.stack([gradient for gradient, _ in pairs])
        averaged.append((tf.reduce_mean(gradients, 0), pairs[0][1]))
    return averaged


class Towers:
    """The graph: feeds, training operation, outputs."""

    def __init__(self, count):
        with tf.device("/cpu:0"):
            self.pixels = tf.placeholder(tf.float32, [None, PIXELS], name="pixels")
            self.digits = tf.placeholder(tf.int32, [None], name="digits")
            pixels = tf.split(self.pixels, count)
            digits = tf.split(self.digits, count)
            optimizer = tf.train.MomentumOptimizer(0.1, 0.9)
        gradients, losses = [], []
        with tf.variable_scope(tf.get_variable_scope()):
            for number in range(count):
                with tf.device(f"/gpu:{number}"), tf.name_scope(f"tower_{number}") as scope:
                    losses.append(tower_loss(scope, pixels[number], digits[number]))
                    tf.get_variable_scope().reuse_variables()
                    gradients.append(optimizer.compute_gradients(losses[-1]))
            with tf.device("/gpu:0"):
                guess = tf.argmax(inference(self.pixels), axis=1, output_type=tf.int32)
                self.accuracy = tf.reduce_mean(tf.cast(tf.equal(guess, self.digits), tf.float32))
        with tf.device("/cpu:0"):
            self.loss = tf.reduce_mean(tf.stack(losses), name="loss")
            step = tf.train.get_or_create_global_step()
            self.train = optimizer.apply_gradients(average_gradients(gradients), step)


def configuration(arguments):
    """A session config: soft placement unless disabled, memory on demand, and the first GPU split into logical ones."""
    config = tf.ConfigProto(
        allow_soft_placement=not arguments.hard, log_device_placement=arguments.placement
    )
    config.gpu_options.allow_growth = True
    if arguments.virtual:
        config.gpu_options.visible_device_list = "0"
        split = config.gpu_options.experimental.virtual_devices.add()
        split.memory_limit_mb.extend([1024] * arguments.virtual)
    return config


def main():
    parser = argparse.ArgumentParser(description="Train one model on several GPUs.")
    parser.add_argument("--towers", type=int, default=2, help="number of GPUs that share a batch")
    parser.add_argument(
        "--virtual", type=int, default=0, help="number of logical GPUs on the first GPU"
    )
    parser.add_argument("--hard", action="store_true", help="no soft placement")
    parser.add_argument("--placement", action="store_true", help="print where each node runs")
    parser.add_argument("--steps", type=int, default=300)
    arguments = parser.parse_args()

    scans = load_digits()
    pixels = (scans.data / 16).astype(np.float32)
    digits = scans.target.astype(np.int32)
    train_x, test_x, train_y, test_y = train_test_split(
        pixels, digits, test_size=0.2, random_state=0
    )
    towers = Towers(arguments.towers)
    random = np.random.RandomState(0)
    size = 64 * arguments.towers
    with tf.Session(config=configuration(arguments)) as session:
        session.run(tf.global_variables_initializer())
        progress = trange(arguments.steps)
        for _ in progress:
            chosen = random.choice(len(train_x), size, replace=False)
            feeds = {towers.pixels: train_x[chosen], towers.digits: train_y[chosen]}
            loss, _ = session.run([towers.loss, towers.train], feeds)
            progress.set_description(f"loss {loss:.4f}")
        accuracy = session.run(towers.accuracy, {towers.pixels: test_x, towers.digits: test_y})
    print(f"test accuracy: {accuracy:.3f}")


if __name__ == "__main__":
    main()
