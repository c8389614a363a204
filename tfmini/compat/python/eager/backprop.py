"""`tensorflow.python.eager.backprop`: gradients by tapes."""

from tfmini._src.autodiff.gradient_tape import GradientTape
from tfmini._src.autodiff.gradients_function import (
    gradients_function,
    implicit_gradients,
    implicit_value_and_gradients,
    make_vjp,
    value_and_gradients_function,
)

__all__ = [
    "GradientTape",
    "gradients_function",
    "implicit_grad",
    "implicit_val_and_grad",
    "make_vjp",
    "val_and_grad_function",
]

implicit_grad = implicit_gradients
implicit_val_and_grad = implicit_value_and_gradients
val_and_grad_function = value_and_gradients_function
