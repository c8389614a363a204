"""tf.contrib.learn.datasets: irises, houses, points; shapes, sums and first rows are TensorFlow 1.15.5's."""

import numpy as np
import pytest

import tfmini as tf

datasets = tf.contrib.learn.datasets


@pytest.mark.parametrize("load", [datasets.load_iris, lambda: datasets.load_dataset("iris")])
def test_iris(load):
    iris = load()
    assert (iris.data.shape, iris.data.dtype, iris.target.dtype) == ((150, 4), float, int)
    assert iris.data.sum() == pytest.approx(2078.2)
    assert iris.data[:2].tolist() == [[5.1, 3.5, 1.4, 0.2], [4.9, 3.0, 1.4, 0.2]]
    assert np.bincount(iris.target).tolist() == [50, 50, 50]


def test_boston():
    houses = datasets.load_boston()
    assert (houses.data.shape, houses.data.dtype, houses.target.dtype) == ((506, 13), float, float)
    assert houses.data.sum() == pytest.approx(460936.55522)
    assert houses.target.sum() == pytest.approx(11401.6)
    assert houses.data[0, :4].tolist() == [0.00632, 18.0, 2.31, 0.0]
