"""Each op with a pfor converter, on its sample inputs: vectorized results compared with sequential ones."""

import collections
import functools

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples import FILES, SAMPLES
from tests.support import cases
from tfmini._src.functions.parallel_for import pfor
from tfmini._src.functions.parallel_for.converters import converters
from tfmini._src.graph.opdef import registry
from tfmini._src.ops import raw


def of_numbers(sample):
    flat = tf.contrib.framework.nest.flatten(list(sample.inputs))
    return flat and not any(np.asarray(each).dtype.kind in "OSUV" for each in flat)


def chosen(file):
    """Two samples of each op in a file of samples, by name."""
    count = collections.Counter()
    result = {}
    for name, sample in SAMPLES.named(file).items():
        plain = sample.op in converters and sample.build is None
        if plain and not registry[sample.op].stateful and of_numbers(sample):
            count[sample.op] += 1
            if count[sample.op] <= 2:
                result[name] = sample
    return result


GROUPS = [cases.Group(file, functools.partial(chosen, file)) for file in FILES]

# Ops rejected if some inputs differ and others, which do not broadcast, are shared, or if sizes differ.
REFUSED = {"ApproximateEqual", "Betainc", "ClipByValue", "ResizeBilinear", "ResizeNearestNeighbor"}

# Ops rejected whichever input differs.
ALWAYS_REFUSED = {"ClipByValue", "SoftmaxCrossEntropyWithLogits-broadcast"}


def pairs(sample):
    """For each array, its place and another of its shape and dtype; last the places of all that are no sizes."""
    flat = tf.contrib.framework.nest.flatten(list(sample.inputs))
    others = [
        each / 2 if np.asarray(each).dtype.kind in "fc" else np.roll(each, 1) for each in flat
    ]
    many = [n for n, each in enumerate(flat) if np.asarray(each).dtype.kind in "fc"]
    return flat, others, [*([n] for n in range(len(flat))), many]


def results(sample, flat):
    inputs = tf.contrib.framework.nest.pack_sequence_as(list(sample.inputs), flat)
    output = getattr(raw, sample.op)(*inputs, **sample.attrs)
    return tf.contrib.framework.nest.flatten(output)


@pytest.mark.filterwarnings("ignore")
@cases.parametrize(GROUPS)
def test_vectorized_samples_match_loop(group, check_each):
    check_each(group, check)


def check(sample):
    flat, others, positions = pairs(sample)
    compared = 0
    for stacked in positions:
        with tf.Graph().as_default(), tf.Session() as session:
            both = {n: tf.constant(np.stack([flat[n], others[n]])) for n in stacked}

            def one(i, both=both):
                return results(
                    sample, [tf.gather(both[n], i) if n in both else x for n, x in enumerate(flat)]
                )

            try:
                expected = session.run([one(0), one(1)])
            except (ValueError, TypeError, tf.errors.OpError):
                continue  # an input for which no other value fits
            try:
                result = session.run(pfor.pfor(one, 2))
            except (ValueError, tf.errors.OpError) as error:
                assert "loop invariant" in str(error) or sample.op in REFUSED, stacked
                continue
        compared += 1
        for n, value in enumerate(result):
            rows = np.stack([row[n] for row in expected])
            assert value.dtype == rows.dtype, sample
            if value.dtype == object:
                assert (value == rows).all()
            else:
                np.testing.assert_allclose(value, rows, rtol=1e-4, atol=1e-5)
    assert compared or str(sample) in ALWAYS_REFUSED
