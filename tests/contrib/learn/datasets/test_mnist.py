"""MNIST as read by tutorials; sums and orders are TensorFlow 1.15.5's for the same files."""

import zlib

import numpy as np
import pytest

import tfmini as tf
from tests.contrib.learn.datasets import files
from tfmini.contrib.learn.datasets import mnist

LABELS = "train-labels-idx1-ubyte.gz"


@pytest.fixture
def folder(tmp_path):
    files.write(tmp_path)
    return tmp_path


def summed(array):
    return zlib.crc32(np.ascontiguousarray(array).tobytes())


def test_float_rows_in_shuffled_batches(folder, capsys):
    data = mnist.read_data_sets(str(folder), one_hot=True, validation_size=50, seed=3)
    assert (
        capsys.readouterr().out.split("\n")[0] == f"Extracting {folder}/train-images-idx3-ubyte.gz"
    )
    assert [part.num_examples for part in data] == [250, 50, 60]
    assert data.train.images.dtype == np.float32 and data.train.labels.dtype == np.float64
    assert [summed(part.images) for part in data] == [3710482485, 1170262870, 3006194919]
    assert [summed(part.labels) for part in data] == [1259355377, 329626467, 1604216922]
    batches = [data.train.next_batch(size) for size in (100, 100, 100, 70, 7)]
    assert [summed(images) for images, _ in batches] == [
        *(3141093147, 3050105831, 481934929, 2454985644, 2219456963)
    ]
    assert [summed(labels) for _, labels in batches] == [
        *(2337749811, 3622304449, 2857644917, 1148854661, 970050718)
    ]
    assert data.train.epochs_completed == 1
    images, _ = data.test.next_batch(10, shuffle=False)
    assert summed(images) == 1203092237


def test_uint8_images(folder):
    data = mnist.read_data_sets(
        str(folder), reshape=False, dtype=tf.uint8, validation_size=0, seed=0
    )
    assert data.train.images.shape == (300, 28, 28, 1)
    assert data.validation.num_examples == 0
    images, labels = data.train.next_batch(100)
    assert (summed(images), summed(labels)) == (2791416044, 4166371223)


def test_graph_seed_is_the_default(folder):
    with tf.Graph().as_default():
        tf.set_random_seed(5)
        data = mnist.read_data_sets(str(folder), validation_size=10)
        images, labels = data.train.next_batch(40)
    assert (summed(images), summed(labels)) == (1947656569, 4291822656)


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "is truncated in its header: 0 of 8 bytes"),
        (b"no gzip", "is not a complete gzip file of MNIST labels"),
        (files.idx(2049, (300,), bytes(300))[:-20], "is not a complete gzip file of MNIST labels"),
        (files.idx(2051, (300,), bytes(300)), "Invalid magic number 2051 in MNIST label file"),
        (files.idx(2049, (300,), bytes(299)), "holds 299 bytes, but its header specifies 300"),
    ],
)
def test_damaged_file_is_named(folder, content, message):
    (folder / LABELS).write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        mnist.read_data_sets(str(folder), validation_size=0)
    assert str(folder / LABELS) in str(caught.value)


def test_fake_data_set():
    images, labels = mnist.DataSet(None, None, fake_data=True, one_hot=True).next_batch(2, True)
    assert images == [[1] * 784] * 2 and labels == [[1] + [0] * 9] * 2
    assert mnist.DataSet(None, None, fake_data=True).next_batch(1, True)[1] == [0]


def test_noisy_circles():
    data = tf.contrib.learn.datasets.synthetic.circles(n_samples=200, noise=0.01, seed=3)
    radii = np.hypot(*data.data.T)
    distances = np.abs(radii - np.where(data.target == 0, 1.0, 0.8))
    assert 0 < distances.min() and distances.max() < 0.06  # six standard deviations
