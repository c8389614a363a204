"""`tf.case`, a chain of conditions; conditionals that resolve static predicates at construction."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.opdef import public
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.cond import cond


@public
def case(
    pred_fn_pairs: Iterable[Any] | Mapping[Any, Any],
    default: Callable[..., Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """Returns the results of the first function whose predicate is true.

    Args:
      pred_fn_pairs: pairs of a bool scalar tensor and a function without arguments, as a list, or as a dict (tested in
        its order if it is an OrderedDict, else in the order of the predicate names).
      default: the function to call if no predicate is true; without a default, this case is a run-time error.
      exclusive: whether several true predicates are a run-time error.
      strict: whether to keep a one-element list or tuple instead of unpacking it, as in `tf.cond`.

    Returns:
      Tensors in the structure returned by the functions, which must be the same for all functions.

    Raises:
      TypeError: if the pairs are malformed, a predicate is not a bool tensor, or a function is not callable.

    Example: `tf.case([(x < y, lambda: a), (x > z, lambda: b)], default=lambda: c)`.
    """
    return _case(
        functools.partial(cond, strict=strict), pred_fn_pairs, default, exclusive, name, False
    )


@public
def smart_case(
    pred_fn_pairs: Iterable[Any] | Mapping[Any, Any],
    default: Callable[..., Any] | None = None,
    exclusive: bool = False,
    name: str = "smart_case",
) -> Any:
    """`tf.case` that omits the branches ruled out by static predicates.

    Predicates may be Python bools or constants.
    """
    return _case(smart_cond, pred_fn_pairs, default, exclusive, name, True)


@public
def smart_cond(
    pred: TensorLike,
    true_fn: Callable[..., Any] | None = None,
    false_fn: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """`tf.cond`, or a direct call of one function if `pred` is statically known.

    Args:
      pred: bool scalar tensor, a bool, 0 or 1.
      true_fn: as in `tf.cond`.
      false_fn: as in `tf.cond`.
      name: the name scope, if a `tf.cond` is built.

    Raises:
      TypeError: if a function is not callable, or `pred` has another type.
    """
    if not callable(true_fn):
        raise TypeError("`true_fn` must be callable.")
    if not callable(false_fn):
        raise TypeError("`false_fn` must be callable.")
    value = smart_constant_value(pred)
    if value is None:
        return cond(pred, true_fn=true_fn, false_fn=false_fn, name=name)
    return true_fn() if value else false_fn()


def smart_constant_value(pred: TensorLike) -> Any:
    """Returns the value of `pred` (a bool, 0, 1 or a tensor) if known at graph construction, else None.

    Raises:
      TypeError: for other types.
    """
    if isinstance(pred, Tensor):
        value = get_static_value(pred)
        return constant_value(pred) if value is None else value
    if pred in {0, 1}:
        return bool(pred)
    raise TypeError(
        f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(pred)}"
    )


def _case(
    cond_fn: Callable,
    pred_fn_pairs: Any,
    default: Callable | None,
    exclusive: bool,
    name: str,
    allow_python_preds: bool,
) -> Any:
    """Implements `case` in terms of a function with the interface of `cond`."""
    predicates, actions = _checked_pairs(pred_fn_pairs, exclusive, name, allow_python_preds)
    with name_scope(name, "case", [predicates]):
        if default is None:
            default, predicates, actions = _last_as_default(predicates, actions)
        function = default
        for predicate, action in reversed(list(zip(predicates, actions))):
            function = functools.partial(cond_fn, predicate, true_fn=action, false_fn=function)
        if not exclusive:
            return function()
        check = _assert_at_most_n_true(predicates, 1, "Input error: exclusive=True")
        with control_dependencies([check]):
            return function()


def _checked_pairs(
    pairs: Any, exclusive: bool, name: str, allow_python_preds: bool
) -> tuple[tuple, tuple]:
    """Validates the pairs and returns the predicates and functions in the order of the tests."""
    if not isinstance(pairs, list | tuple | dict):
        raise TypeError("fns must be a list, tuple, or dict")
    if isinstance(pairs, OrderedDict):
        pairs = pairs.items()
    elif isinstance(pairs, dict):
        if executing_eagerly():
            if not exclusive:
                raise ValueError(
                    "Unordered dictionaries are not supported for the `pred_fn_pairs` argument when "
                    "`exclusive=False` and eager mode is enabled."
                )
            pairs = list(pairs.items())
        else:
            pairs = sorted(pairs.items(), key=lambda item: item[0].name)
        if not exclusive:
            logs.warn(
                "%s: An unordered dictionary of predicate/fn pairs was provided, but "
                "exclusive=False. The order of conditional tests is deterministic but not "
                "guaranteed.",
                name,
            )
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple")
        pred, function = pair
        if isinstance(pred, Tensor):
            if pred.dtype != dtypes.bool:
                raise TypeError(f"pred must be Tensor of type bool: {pred.name}")
        elif not allow_python_preds:
            raise TypeError(f"pred must be a Tensor, got: {pred}")
        elif not isinstance(pred, bool):
            raise TypeError(f"pred must be a Tensor or bool, got: {pred}")
        if not callable(function):
            raise TypeError(f"fn for pred {pred.name} must be callable.")
    predicates, actions = zip(*pairs)
    return predicates, actions


def _assert_at_most_n_true(predicates: Any, n: int, message: str) -> Operation:
    stacked = ops.stack(predicates, name="preds_c")
    count = ops.reduce_sum(ops.cast(stacked, dtypes.int32), name="num_true_conds")
    condition = ops.less_equal(count, ops.constant(n, name="n_true_conds"))
    names = ", ".join(getattr(p, "name", "?") for p in predicates)
    text = f"{message}: more than {n} conditions ({names}) evaluated as True:"
    return ops.Assert(condition, data=[text, stacked], summarize=len(predicates))


def _last_as_default(predicates: tuple, actions: tuple) -> tuple[Callable, tuple, tuple]:
    """Turns the last action into the default.

    An assertion verifies that its predicate is true and all others are false.
    """
    last = len(predicates) - 1
    conditions = predicates[:last]

    def default() -> Any:
        message = (
            f"Implementation error: selected default action #{last} was called, but some of other "
            "predicates are True: "
        )
        is_none_true = (
            "Input error: None of conditions evaluated as True:",
            ops.stack(predicates, name="preds_c"),
        )
        checks = [
            _assert_at_most_n_true(conditions, 0, message),
            ops.Assert(predicates[last], data=is_none_true),
        ]
        with control_dependencies(checks):
            return actions[last]()

    return default, conditions, actions[:last]
