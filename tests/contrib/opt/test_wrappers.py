"""Optimizers that wrap others: savers of averages, what is refused."""

import pytest

import tfmini as tf

opt = tf.contrib.opt


def test_a_swapping_saver_saves_averages(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("w", initializer=4.0)
        optimizer = opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(0.5), 0.5)
        with pytest.raises(RuntimeError, match="before creating the swapping_saver"):
            optimizer.swapping_saver()
        train = optimizer.minimize(tf.square(w) / 2.0)
        saver = optimizer.swapping_saver()
        session.run(tf.global_variables_initializer())
        session.run(train)  # w: 2, its average: 3
        path = saver.save(session, str(tmp_path / "model"))
        tf.train.Saver().restore(session, path)
        assert session.run(w) == 3.0
        with pytest.raises(ValueError, match="Variable to swap w/ExponentialMovingAverage"):
            optimizer.swapping_saver([w])


def test_a_wrapper_wants_an_optimizer():
    with pytest.raises(TypeError, match="must be an instance of tf.train.Optimizer"):
        opt.MultitaskOptimizerWrapper("adam")
