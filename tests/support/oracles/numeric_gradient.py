"""Gradient checker: compares `tf.gradients` with finite differences.

    check(lambda x, y: [tf.matmul(x, y)], [x, y])

A weighted sum of the function's outputs is differentiated by perturbing each input element up and down. In float64,
the error is about 1e-7 of the largest element.
"""

import numpy as np

import tfmini as tf

STEP = 1e-4
TOLERANCE = 2e-6


def check(function, values, wanted=None, order=1, tolerance=TOLERANCE, step=STEP):
    """Asserts that the gradients of `function` at `values` are right.

    Args:
      function: takes a tensor for each of `values`, returns a list of tensors; only floats and
        complex numbers among them count.
      values: the arrays; float64 or complex128 for those in `wanted`.
      wanted: indices of the inputs to check, by default all; the others are constants.
      order: 2 checks the gradient of the gradient as well.
      tolerance: relative to the largest element of a gradient, at least 1.
      step: the perturbation of an element.
    """
    wanted = list(range(len(values)) if wanted is None else wanted)
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = [
            tf.placeholder(v.dtype, v.shape) if i in wanted else tf.constant(v)
            for i, v in enumerate(values)
        ]
        chosen = [inputs[i] for i in wanted]
        feed = {inputs[i]: values[i] for i in wanted}
        outputs = [t for t in function(*inputs) if t.dtype.is_floating or t.dtype.is_complex]
        number = weighted_sum(session, outputs, feed, 1)
        first = scalar_gradients(number, chosen)
        compare(session, number, first, chosen, feed, tolerance, step, "gradient")
        if order == 2 and any(g is not None for g in first):
            number = weighted_sum(session, [g for g in first if g is not None], feed, 2)
            second = scalar_gradients(number, chosen)
            compare(session, number, second, chosen, feed, tolerance, step, "second gradient")


def weighted_sum(session, tensors, feed, seed):
    """The real weighted sum of all elements of the tensors, with distinct weights."""
    random = np.random.RandomState(seed)
    parts = []
    for tensor, value in zip(tensors, session.run(tensors, feed)):
        halves = [tf.real(tensor), tf.imag(tensor)] if tensor.dtype.is_complex else [tensor]
        for half in halves:
            weights = tf.constant(random.uniform(0.5, 1.5, value.shape), half.dtype.base_dtype)
            parts.append(tf.reduce_sum(half * weights))
    return tf.add_n(parts)


def scalar_gradients(scalar, inputs):
    result = tf.gradients(scalar, inputs)
    return [tf.convert_to_tensor(g) if isinstance(g, tf.IndexedSlices) else g for g in result]


def compare(session, scalar, found, inputs, feed, tolerance, step, what):
    """Compares each gradient with finite differences of `number`; None counts as zeros."""
    for position, (tensor, gradient) in enumerate(zip(inputs, found)):
        want = differences(session, scalar, tensor, feed, step)
        got = np.zeros_like(want) if gradient is None else session.run(gradient, feed)
        assert got.shape == want.shape, f"{what} {position} has shape {got.shape}, not {want.shape}"
        scale = max(1.0, np.abs(want).max(initial=0))
        error = np.abs(got - want).max(initial=0) / scale
        assert error <= tolerance, f"{what} {position} is off by {error:.2e}:\n{got}\nnot\n{want}"


def differences(session, scalar, tensor, feed, step):
    """The gradient of `number` by finite differences; for complex inputs, d/dreal + i d/dimag."""
    value = feed[tensor]
    result = np.zeros(value.shape, value.dtype)
    moves = (step, step * 1j) if np.iscomplexobj(value) else (step,)
    for position in np.ndindex(*value.shape):
        for move in moves:
            sides = []
            for signed in (move, -move):
                moved = value.copy()
                moved[position] += signed
                sides.append(session.run(scalar, {**feed, tensor: moved}))
            slope = (sides[0] - sides[1]) / (2 * step)
            result[position] += slope if move is step else 1j * slope
    return result
