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


@declare_updates(
    "Adagrad", ("var", "accum"), ("lr", "grad"), ("lr", "grad", "indices"), update_slots=True
)
def adagrad(xp, var, accum, lr, grad, *, update_slots):
    """accum += grad^2; var -= lr * grad / sqrt(accum)  (Duchi et al., 2011)"""
    if update_slots:
        accum += grad * grad
    var -= grad * lr / xp.sqrt(accum)


@declare_updates(
    "AdagradDA",
    ("var", "gradient_accumulator", "gradient_squared_accumulator"),
    ("grad", "lr", "l1", "l2", "global_step"),
    ("grad", "indices", "lr", "l1", "l2", "global_step"),
)
def adagrad_da(xp, var, sums, squares, grad, lr, l1, l2, global_step):
    """Dual averaging: var from the sums of all gradients, with the penalties of all steps so far."""
    step = var.dtype.type(global_step)
    sums += grad
    squares += grad * grad
    shrunk = sums
    if l1 > 0:
        shrunk = xp.sign(sums) * xp.maximum(xp.abs(sums) - l1 * step, var.dtype.type(0))
    var[...] = -lr * shrunk / (l2 * step * lr + xp.sqrt(squares))


@declare_updates(
    "Adadelta",
    ("var", "accum", "accum_update"),
    ("lr", "rho", "epsilon", "grad"),
    ("lr", "rho", "epsilon", "grad", "indices"),
)
def adadelta(xp, var, accum, accum_update, lr, rho, epsilon, grad):
    """Zeiler, 2012: the update is the gradient times the ratio of the root mean squares of updates and gradients."""
    accum *= rho
    accum += grad * grad * (1 - rho)
    update = xp.sqrt(accum_update + epsilon) / xp.sqrt(accum + epsilon) * grad
    var -= update * lr
    accum_update *= rho
    accum_update += update * update * (1 - rho)


_RMSPROP = ("lr", "rho", "momentum", "epsilon", "grad")


@declare_updates("RMSProp", ("var", "ms", "mom"), _RMSPROP, (*_RMSPROP, "indices"))
def rmsprop(xp, var, ms, mom, lr, rho, momentum, epsilon, grad):
    """ms = rho * ms + (1 - rho) * grad^2; mom = momentum * mom + lr * grad / sqrt(ms + epsilon); var -= mom"""
    ms += (grad * grad - ms) * (1 - rho)
    mom *= momentum
    mom += grad * lr / xp.sqrt(ms + epsilon)
    var -= mom


@declare_updates("CenteredRMSProp", ("var", "mg", "ms", "mom"), _RMSPROP, (*_RMSPROP, "indices"))
def centered_rmsprop(xp, var, mg, ms, mom, lr, rho, momentum, epsilon, grad):
    """RMSProp with the variance, ms - mg^2, in place of the second moment."""
    ms += (grad * grad - ms) * (1 - rho)
    mg += (grad - mg) * (1 - rho)
    mom *= momentum
    mom += grad * lr / xp.sqrt(ms - mg * mg + epsilon)
    var -= mom


def _ftrl(xp, var, accum, linear, grad, shrunk_grad, lr, l1, l2, lr_power):
    """McMahan et al., 2013, per-coordinate FTRL-Proximal."""
    new_accum = accum + grad * grad
    if lr_power == -0.5:
        power, new_power = xp.sqrt(accum), xp.sqrt(new_accum)
    else:
        power, new_power = accum**-lr_power, new_accum**-lr_power
    linear += shrunk_grad - (new_power - power) / lr * var
    quadratic = new_power / lr + 2 * l2
    bounded = xp.clip(linear, -l1, l1)
    var[...] = (bounded - linear) / quadratic
    accum[...] = new_accum


@declare_updates(
    "Ftrl",
    ("var", "accum", "linear"),
    ("grad", "lr", "l1", "l2", "lr_power"),
    ("grad", "indices", "lr", "l1", "l2", "lr_power"),
)
def ftrl(xp, var, accum, linear, grad, lr, l1, l2, lr_power):
    """FTRL-Proximal."""
    _ftrl(xp, var, accum, linear, grad, grad, lr, l1, l2, lr_power)


@declare_updates(
    "FtrlV2",
    ("var", "accum", "linear"),
    ("grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power"),
    ("grad", "indices", "lr", "l1", "l2", "l2_shrinkage", "lr_power"),
)
def ftrl_v2(xp, var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power):
    """FTRL-Proximal with a penalty on the size of the weights where there is a gradient."""
    _ftrl(xp, var, accum, linear, grad, grad + 2 * l2_shrinkage * var, lr, l1, l2, lr_power)


def _proximal(xp, candidate, rate, l1, l2):
    """The minimizer of the penalties around `candidate`: soft threshold, then shrink."""
    if l1 > 0:
        zero = candidate.dtype.type(0)
        candidate = xp.sign(candidate) * xp.maximum(xp.abs(candidate) - rate * l1, zero)
    return candidate / (1 + l2 * rate)


@declare_updates(
    "ProximalGradientDescent",
    ("var",),
    ("alpha", "l1", "l2", "delta"),
    ("alpha", "l1", "l2", "grad", "indices"),
    gradient="delta",
)
def proximal_gradient_descent(xp, var, alpha, l1, l2, delta):
    """A gradient step, then the proximal operator of the penalties."""
    var[...] = _proximal(xp, var - alpha * delta, alpha, l1, l2)


@declare_updates(
    "ProximalAdagrad",
    ("var", "accum"),
    ("lr", "l1", "l2", "grad"),
    ("lr", "l1", "l2", "grad", "indices"),
)
def proximal_adagrad(xp, var, accum, lr, l1, l2, grad):
    """Adagrad's step, then the proximal operator with Adagrad's rates."""
    accum += grad * grad
    rate = lr / xp.sqrt(accum)
    var[...] = _proximal(xp, var - grad * rate, rate, l1, l2)
