"""Metrics of a process, next to the values that TensorFlow 1.15.5 gave."""

import sys

import pytest

import tfmini as tf
from tfmini._src.base import process_metrics


def test_counter_cells():
    counter = process_metrics.Counter("/test/steps", "Steps.", "model")
    counter.get_cell("a").increase_by(3)
    counter.get_cell("a").increase_by(2)
    assert counter.get_cell("a").value() == 5 and counter.get_cell("b").value() == 0
    with pytest.raises(tf.errors.AlreadyExistsError, match="Another metric with the same name"):
        process_metrics.BoolGauge("/test/steps", "Again.")
    with pytest.raises(ValueError, match="The Counter expects taking 1 labels"):
        counter.get_cell()
    with pytest.raises(ValueError, match="Cannot create IntGauge metric with label >= 3"):
        process_metrics.IntGauge("/test/three", "", "a", "b", "c")
    del counter
    process_metrics.Counter("/test/steps", "A deleted metric leaves its name.")


@pytest.mark.parametrize(
    "gauge, first, value", [("Int", 0, 7), ("String", "", "a"), ("Bool", False, True)]
)
def test_gauges(gauge, first, value):
    cell = getattr(process_metrics, gauge + "Gauge")("/test/gauge", "").get_cell()
    assert cell.value() is first
    cell.set(value)
    assert cell.value() is value
    with pytest.raises(TypeError, match="expected"):
        cell.set(None)


def test_sampler_bucket_counts():
    sampler = process_metrics.Sampler(
        "/test/times", process_metrics.ExponentialBuckets(1.0, 2.0, 2), ""
    )
    for value in (1.5, 0.5, 100.0, 2.0):
        sampler.get_cell().add(value)
    result = sampler.get_cell().value()
    assert list(result.bucket_limit) == [1.0, 2.0, sys.float_info.max]
    assert list(result.bucket) == [1.0, 1.0, 2.0]
    assert (result.min, result.max, result.num) == (0.5, 100.0, 4.0)
    assert (result.sum, result.sum_squares) == (104.0, 10006.5)
