"""Functions with TensorFlow's internal argument orders, built from public functions with different ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature, getcallargs, signature
from types import MappingProxyType
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import undecorated
from tfmini._src.ops import raw_ops
from tfmini._src.programs.hook.module_names import DType, RawOp, V2Function

# Options that turn the function of tf into the function of tf.compat.v2.
_FIXED_ARGUMENTS: Mapping[str, dict[str, Any]] = {
    "cond_for_tf_v2": {"strict": True},
    "while_loop_v2": {"return_same_structure": True},
    "gradients_v2": {"colocate_gradients_with_ops": True},
    "HessiansV2": {"colocate_gradients_with_ops": True},
    "embedding_lookup_v2": {"partition_strategy": "div"},
    "embedding_lookup_sparse_v2": {"partition_strategy": "div"},
    "safe_embedding_lookup_sparse_v2": {"partition_strategy": "div"},
    "nce_loss_v2": {"partition_strategy": "div"},
    "sampled_softmax_loss_v2": {"partition_strategy": "div"},
}

# Arguments with another name in the underlying tf function.
_RENAMED_ARGUMENTS: Mapping[str, dict[str, str]] = {
    "conv3d_transpose_v2": {"input": "value"},
    "convolution_v2": {"filters": "filter", "dilations": "dilation_rate"},
    "sparse_concat_v2": {"expand_nonconcat_dims": "expand_nonconcat_dim"},
}

# Functions whose tf namesake differs, and the tf function with the same behavior.
EQUIVALENTS: Mapping[str, str] = {
    "space_to_batch_v2": "space_to_batch_nd",
    "softmax_cross_entropy_with_logits_v2": "softmax_cross_entropy_with_logits_v2",
}


def raw_function(name: str, raw_op: RawOp) -> Callable | None:
    """Returns a generated module's function: `gen_math_ops.mat_mul(a, b, transpose_a)`; None if tfmini lacks the op."""
    try:
        add_node = getattr(raw_ops, raw_op.op)
    except AttributeError:
        return None
    parameters = signature(add_node).parameters
    arguments = raw_op.arguments or [a for a in parameters if a != "name"]
    values = {
        a: parameters[a].default for a in arguments if parameters[a].default is not Parameter.empty
    }
    return _reorder(name, add_node, (*arguments, "name"), {**values, "name": None}, {})


def second_function(name: str, second: V2Function, first: Callable) -> Callable:
    """Returns a `tf.compat.v2` function, built from tf's, which may be deprecated or have a deprecated argument."""
    defaults = {a: _default(value) for a, value in second.defaults.items()}
    return _reorder(
        name,
        undecorated(first),
        second.arguments,
        defaults,
        _FIXED_ARGUMENTS.get(name, {}),
        _RENAMED_ARGUMENTS.get(name, {}),
    )


def _default(value: Any) -> Any:
    """Returns a default value, as shown in the signature."""
    return dtypes.as_dtype(value.name) if isinstance(value, DType) else value


def _reorder(
    name: str,
    function: Callable,
    arguments: tuple[str, ...],
    defaults: Mapping[str, Any],
    common_values: dict[str, Any],
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> Callable:
    """Returns a function that takes these arguments by position or keyword and passes them by keyword."""
    order = Signature(
        [
            Parameter(
                argument,
                Parameter.POSITIONAL_OR_KEYWORD,
                default=defaults.get(argument, Parameter.empty),
            )
            for argument in arguments
        ]
    )

    parameters = signature(function).parameters
    # Only these, because dispatched functions of ragged tensors have other defaults.
    differing_values = {
        a: default
        for a, default in defaults.items()
        if (parameter := parameters.get(renamed.get(a, a))) is None
        or parameter.default is not default
    }

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = order.bind(*args, **kwargs)
        except TypeError:
            getcallargs(call, *args, **kwargs)  # raises the error of a plain call
            raise
        values = {**differing_values, **bound.arguments}
        return function(
            **{renamed.get(a, a): value for a, value in values.items() if value is not ...},
            **common_values,
        )

    call.__name__ = call.__qualname__ = name
    call.__signature__ = order  # type: ignore[attr-defined]
    call.__doc__ = function.__doc__
    return call
