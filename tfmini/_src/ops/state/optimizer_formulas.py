"""Optimizer update formulas, applied in place to the arrays of a variable and its slots.

They follow TensorFlow's training ops (training_ops.cc); each formula cites the source of the method.
"""

from __future__ import annotations

from tfmini._src.ops.state.training_ops import declare_updates

_MOMENTUM = ("lr", "grad", "momentum")
_SPARSE_MOMENTUM = ("lr", "grad", "indices", "momentum")


@declare_updates(
    "GradientDescent",
    ("var",),
    ("alpha", "delta"),
    gradient="delta",
    is_light=True,
)
def gradient_descent(xp, var, alpha, delta):
    """Gradient descent: var -= alpha * delta."""
    var -= delta * alpha


@declare_updates(
    "Momentum",
    ("var", "accum"),
    _MOMENTUM,
    _SPARSE_MOMENTUM,
    is_light=True,
    use_nesterov=False,
)
def momentum(xp, var, accum, lr, grad, momentum, *, use_nesterov):
    """Momentum: accum = momentum * accum + grad; var -= lr * accum.

    Nesterov's form: var -= lr * grad + lr * momentum * accum.
    """
    accum *= momentum
    accum += grad
    if use_nesterov:
        step = accum * momentum
        step += grad
        step *= lr
    else:
        step = accum * lr
    var -= step


@declare_updates(
    "KerasMomentum",
    ("var", "accum"),
    _MOMENTUM,
    _SPARSE_MOMENTUM,
    resource_only=True,
    is_light=True,
    use_nesterov=False,
)
def keras_momentum(xp, var, accum, lr, grad, momentum, *, use_nesterov):
    """Momentum as in Keras: accum = momentum * accum - lr * grad; var += accum.

    Nesterov's form: var += momentum * accum - lr * grad.
    """
    scaled = grad * lr
    accum *= momentum
    accum -= scaled
    if use_nesterov:
        xp.subtract(accum * momentum, scaled, out=scaled)
        var += scaled
    else:
        var += accum


_ADAM = ("beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad")


def _moments(xp, m, v, beta1, beta2, grad):
    """Updates the moving averages of the gradient and its square; returns a scratch array."""
    scratch = grad - m
    scratch *= 1 - beta1
    m += scratch
    xp.multiply(grad, grad, out=scratch)
    scratch -= v
    scratch *= 1 - beta2
    v += scratch
    return scratch


@declare_updates("Adam", ("var", "m", "v"), _ADAM, use_nesterov=False)
def adam(xp, var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, *, use_nesterov):
    """Adam (Kingma and Ba, 2014, in the form before section 2.1), with bias correction in the step size."""
    alpha = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
    scratch = _moments(xp, m, v, beta1, beta2, grad)
    xp.sqrt(v, out=scratch)
    scratch += epsilon
    if use_nesterov:
        step = grad * (1 - beta1)
        step += m * beta1
        xp.divide(step, scratch, out=scratch)
    else:
        xp.divide(m, scratch, out=scratch)
    scratch *= alpha
    var -= scratch


def _raise_to(xp, slot, x):
    """Sets the slot to the maximum of itself and x; where x is NaN, leaves it unchanged."""
    xp.copyto(slot, x, where=slot < x)


@declare_updates(
    "AdamWithAmsgrad",
    ("var", "m", "v", "vhat"),
    _ADAM,
    resource_only=True,
    late=("vhat",),
)
def adam_with_amsgrad(
    xp, var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad
):
    """AMSGrad (Reddi et al., 2018): Adam with the running maximum of the second moment."""
    alpha = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
    scratch = _moments(xp, m, v, beta1, beta2, grad)
    _raise_to(xp, vhat, v)
    xp.sqrt(vhat, out=scratch)
    scratch += epsilon
    xp.divide(m, scratch, out=scratch)
    scratch *= alpha
    var -= scratch


@declare_updates(
    "AdaMax",
    ("var", "m", "v"),
    ("beta1_power", "lr", "beta1", "beta2", "epsilon", "grad"),
)
def adamax(xp, var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad):
    """AdaMax (Kingma and Ba, 2014, section 7.1), which uses the infinity norm instead of the second moment."""
    scratch = grad - m
    scratch *= 1 - beta1
    m += scratch
    xp.absolute(grad, out=scratch)
    v *= beta2
    _raise_to(xp, v, scratch)
    xp.add(v, epsilon, out=scratch)
    xp.divide(m, scratch, out=scratch)
    scratch *= lr / (1 - beta1_power)
    var -= scratch


@declare_updates(
    "Adagrad",
    ("var", "accum"),
    ("lr", "grad"),
    ("lr", "grad", "indices"),
    update_slots=True,
)
def adagrad(xp, var, accum, lr, grad, *, update_slots):
    """Adagrad (Duchi et al., 2011): accum += grad^2; var -= lr * grad / sqrt(accum)."""
    if update_slots:
        accum += grad * grad
    step = xp.sqrt(accum)
    xp.divide(grad, step, out=step)
    step *= lr
    var -= step


@declare_updates(
    "AdagradV2",
    ("var", "accum"),
    ("lr", "epsilon", "grad"),
    ("lr", "epsilon", "grad", "indices"),
    update_slots=True,
)
def adagrad_v2(xp, var, accum, lr, epsilon, grad, *, update_slots):
    """Adagrad with epsilon: accum += grad^2; var -= lr * grad / (sqrt(accum) + epsilon)."""
    if update_slots:
        accum += grad * grad
    step = xp.sqrt(accum)
    step += epsilon
    xp.divide(grad, step, out=step)
    step *= lr
    var -= step


@declare_updates(
    "AdagradDA",
    ("var", "gradient_accumulator", "gradient_squared_accumulator"),
    ("grad", "lr", "l1", "l2", "global_step"),
    ("grad", "indices", "lr", "l1", "l2", "global_step"),
)
def adagrad_da(xp, var, sums, squares, grad, lr, l1, l2, global_step):
    """Dual averaging, which computes var from the accumulated gradients and the regularization of all steps so far."""
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
    late=("accum", "accum_update"),
)
def adadelta(xp, var, accum, accum_update, lr, rho, epsilon, grad):
    """Adadelta (Zeiler, 2012), which scales the gradient by the RMS of updates over the RMS of gradients."""
    accum *= rho
    accum += grad * grad * (1 - rho)
    update = xp.sqrt(accum_update + epsilon) / xp.sqrt(accum + epsilon) * grad
    var -= update * lr
    accum_update *= rho
    accum_update += update * update * (1 - rho)


_RMSPROP = ("lr", "rho", "momentum", "epsilon", "grad")


@declare_updates("RMSProp", ("var", "ms", "mom"), _RMSPROP, (*_RMSPROP, "indices"))
def rmsprop(xp, var, ms, mom, lr, rho, momentum, epsilon, grad):
    """RMSProp: ms = rho ms + (1 - rho) grad^2; mom = momentum * mom + lr * grad / sqrt(ms + epsilon); var -= mom."""
    ms += (grad * grad - ms) * (1 - rho)
    mom *= momentum
    mom += grad * lr / xp.sqrt(ms + epsilon)
    var -= mom


@declare_updates(
    "CenteredRMSProp",
    ("var", "mg", "ms", "mom"),
    _RMSPROP,
    (*_RMSPROP, "indices"),
)
def centered_rmsprop(xp, var, mg, ms, mom, lr, rho, momentum, epsilon, grad):
    """RMSProp that uses the variance, ms - mg^2, instead of the second moment."""
    ms += (grad * grad - ms) * (1 - rho)
    mg += (grad - mg) * (1 - rho)
    mom *= momentum
    mom += grad * lr / xp.sqrt(ms - mg * mg + epsilon)
    var -= mom


_PENALTIES = {"lr": "positive", "l1": "non-negative", "l2": "non-negative"}
_FTRL = {**_PENALTIES, "lr_power": "non-positive"}


def _ftrl(xp, var, accum, linear, grad, pulled, lr, l1, l2, lr_power, by_rows):
    """Per-coordinate FTRL-Proximal (McMahan et al., 2013); `pulled` is the gradient with shrinkage.

    A NaN linear term yields 0, or NaN in updates by rows.
    """
    power = xp.sqrt(accum) if lr_power == -0.5 else accum**-lr_power
    accum += grad * grad
    new_power = xp.sqrt(accum) if lr_power == -0.5 else accum**-lr_power
    xp.subtract(new_power, power, out=power)
    power /= lr
    power *= var
    linear += pulled
    linear -= power
    quadratic = new_power
    quadratic /= lr
    quadratic += 2 * l2
    bounded = xp.maximum(linear, -l1, out=power)
    xp.minimum(bounded, l1, out=bounded)
    bounded -= linear
    xp.divide(bounded, quadratic, out=var)
    if not by_rows:
        xp.copyto(var, 0, where=~(xp.abs(linear) > l1))


@declare_updates(
    "Ftrl",
    ("var", "accum", "linear"),
    ("grad", "lr", "l1", "l2", "lr_power"),
    ("grad", "indices", "lr", "l1", "l2", "lr_power"),
    bounds=_FTRL,
    row_options={"by_rows": True},
)
def ftrl(xp, var, accum, linear, grad, lr, l1, l2, lr_power, *, by_rows=False):
    """FTRL-Proximal without shrinkage."""
    _ftrl(xp, var, accum, linear, grad, grad, lr, l1, l2, lr_power, by_rows)


@declare_updates(
    "FtrlV2",
    ("var", "accum", "linear"),
    ("grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power"),
    ("grad", "indices", "lr", "l1", "l2", "l2_shrinkage", "lr_power"),
    bounds={**_FTRL, "l2_shrinkage": "non-negative"},
    unranked=["lr_power"],
    row_options={"by_rows": True},
)
def ftrl_v2(xp, var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power, *, by_rows=False):
    """FTRL-Proximal with an L2 shrinkage penalty, which is only applied where the gradient is nonzero."""
    pulled = grad + 2 * l2_shrinkage * var
    _ftrl(xp, var, accum, linear, grad, pulled, lr, l1, l2, lr_power, by_rows)


def _proximal(xp, candidate, rate, l1, l2):
    """Returns the proximal operator at `candidate`: soft threshold, then shrinkage."""
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
    """Takes a gradient step and applies the proximal operator."""
    var[...] = _proximal(xp, var - alpha * delta, alpha, l1, l2)


@declare_updates(
    "ProximalAdagrad",
    ("var", "accum"),
    ("lr", "l1", "l2", "grad"),
    ("lr", "l1", "l2", "grad", "indices"),
    bounds=_PENALTIES,
)
def proximal_adagrad(xp, var, accum, lr, l1, l2, grad):
    """Takes an Adagrad step and applies the proximal operator with Adagrad's learning rates."""
    accum += grad * grad
    rate = lr / xp.sqrt(accum)
    var[...] = _proximal(xp, var - grad * rate, rate, l1, l2)


_SIGNS = ("sign_decay", "beta", "grad")


def _agreement(xp, m, beta, grad):
    """Updates the average of gradients; returns 1 where gradient and average have the same sign, else -1."""
    m *= beta
    m += grad * (1 - beta)
    agreement = xp.sign(grad) * xp.sign(m)
    xp.copyto(agreement, 0, where=xp.isnan(agreement))  # the sign of NaN is 0
    return agreement


@declare_updates("AddSign", ("var", "m"), ("lr", "alpha", *_SIGNS))
def add_sign(xp, var, m, lr, alpha, sign_decay, beta, grad):
    """AddSign (Bello et al., 2017): takes larger steps where the gradient and its average have the same sign."""
    step = _agreement(xp, m, beta, grad)
    step *= sign_decay
    step += alpha
    step *= lr
    step *= grad
    var -= step


@declare_updates("PowerSign", ("var", "m"), ("lr", "logbase", *_SIGNS))
def power_sign(xp, var, m, lr, logbase, sign_decay, beta, grad):
    """PowerSign (Bello et al., 2017): scales steps by a power of the sign agreement."""
    step = _agreement(xp, m, beta, grad)
    step *= logbase * sign_decay
    xp.exp(step, out=step)
    step *= lr
    step *= grad
    var -= step
