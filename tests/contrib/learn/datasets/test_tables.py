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


POINTS = [
    # the call, the sum of the coordinates, the sum of the classes, the first point
    (lambda: datasets.make_dataset("circles"), 1.8, 50, [-0.3700306321926683, -0.7092794450984]),
    (
        lambda: datasets.make_dataset("circles", 7, 0.1, 3),
        *(-0.2954713078940483, 3, [-0.9627585279206883, 0.039788586012456016]),
    ),
    (
        lambda: datasets.make_dataset("spirals", 7, 0.1, 3),
        *(-2.164775784205427, 3, [0.9956181831024071, -1.0477218030359503]),
    ),
    (
        lambda: datasets.synthetic.circles(10, seed=1, n_classes=3, factor=0.5),
        *(-0.09980682343077107, 9, [1.0, 0.0]),
    ),
    (
        lambda: datasets.synthetic.spirals(9, seed=1, mode="bernoulli", exp_scale=0.2),
        *(0.0, 4, [-0.21633974326141966, 1.0]),
    ),
    (
        lambda: datasets.synthetic.spirals(9, seed=1, mode="fermat", n_loops=3),
        *(0.09386652949080843, 4, [0.816496580927726, -0.5443310539518174]),
    ),
]


@pytest.mark.parametrize("make, total, classes, first", POINTS)
def test_synthetic_points(make, total, classes, first):
    created = make()
    assert created.target.dtype == np.int32
    np.testing.assert_allclose(created.data.sum(), total, rtol=1e-9, atol=1e-9)
    assert created.target.sum() == classes
    np.testing.assert_allclose(created.data[0], first, atol=1e-12)


def test_unknown_dataset_names():
    with pytest.raises(ValueError, match="Name of dataset is not found: flowers"):
        datasets.load_dataset("flowers")
    with pytest.raises(ValueError, match="not found or not implemeted: moons"):
        datasets.make_dataset("moons")
    with pytest.raises(ValueError, match="Cannot generate spiral with mode golden"):
        datasets.synthetic.spirals(mode="golden")


def test_shrunk_table(tmp_path):
    path = tmp_path / "all.csv"
    path.write_text("1,2\n3,4\n5,6\n7,8\n")
    datasets.base.shrink_csv(str(path), 2)
    small = datasets.base.load_csv_without_header(str(tmp_path / "all_small.csv"), int, float)
    assert (small.data.tolist(), small.target.tolist()) == ([[1.0], [5.0]], [2, 6])
