"""The optimizers' formulas, each in place on the arrays of a variable and its slots.

They are those of TensorFlow's training ops (training_ops.cc); the sources of the methods are named with each.
"""

from __future__ import annotations

from tfmini.ops.updates import declare_updates


@declare_updates("GradientDescent", ("var",), ("alpha", "delta"), gradient="delta")
def gradient_descent(xp, var, alpha, delta):
    """var -= alpha * delta"""
    var -= alpha * delta


@declare_updates(
    "Momentum",
    ("var", "accum"),
    ("lr", "grad", "momentum"),
    ("lr", "grad", "indices", "momentum"),
    use_nesterov=False,
)
def momentum(xp, var, accum, lr, grad, momentum, *, use_nesterov):
    """accum = momentum * accum + grad; var -= lr * accum (Nesterov: lr * grad + lr * momentum * accum)"""
    accum *= momentum
    accum += grad
    if use_nesterov:
        var -= grad * lr + accum * momentum * lr
    else:
        var -= lr * accum


@declare_updates(
    "Adam",
    ("var", "m", "v"),
    ("beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad"),
    use_nesterov=False,
)
def adam(xp, var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, *, use_nesterov):
    """Adam (Kingma and Ba, 2014, the form before section 2.1), with the bias correction in the step size."""
    alpha = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
    scratch = grad - m
    scratch *= 1 - beta1
    m += scratch
    xp.multiply(grad, grad, out=scratch)
    scratch -= v
    scratch *= 1 - beta2
    v += scratch
    if use_nesterov:
        step = (grad * (1 - beta1) + beta1 * m) * alpha
    else:
        step = m * alpha
    xp.sqrt(v, out=scratch)
    scratch += epsilon
    step /= scratch
    var -= step
