"""Decorators of test methods: graph or eager mode, GPU placement.
They skip tests of TensorFlow 2 behavior.
"""

from __future__ import annotations

import functools
import inspect
import unittest
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any

from tfmini._src.functions import control_flow_v2
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.scopes import device
from tfmini._src.models.test.gpu_queries import is_gpu_available
from tfmini._src.session.eager.enable import eager_mode, graph_mode

if TYPE_CHECKING:
    from tfmini._src.base import proto


_PREFIX = unittest.TestLoader.testMethodPrefix


def _apply_decorator(decorator: Callable, function: Callable | None) -> Any:
    """Applies a decorator that is used as `@d` or `@d(...)`."""
    return decorator if function is None else decorator(function)


def _require(reason: str, can_run: Callable[[], bool], name: str, function: Any) -> Callable:
    """Skips a test unless a condition holds."""
    if inspect.isclass(function):
        raise ValueError(f"`{name}` only supports test methods.")

    @functools.wraps(function)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not can_run():
            self.skipTest(reason)
        return function(self, *args, **kwargs)

    return wrapper


def run_in_graph_and_eager_modes(
    func: Callable[..., Any] | None = None,
    config: proto.ConfigProto | None = None,
    use_gpu: bool = True,
    reset_test: bool = True,
    assert_no_eager_garbage: bool = False,
) -> Any:
    """Runs a test method in graph mode with a default session, and again in eager mode.

    Args:
      func: the method; if None, a decorator is returned.
      config: the ConfigProto of the session.
      use_gpu: whether nodes may be placed on a GPU.
      reset_test: whether to call `tearDown` and `setUp` in between.
      assert_no_eager_garbage: ignored.

    Raises:
      ValueError: for a class.
    """

    def decorator(f: Any) -> Callable:
        if inspect.isclass(f):
            raise ValueError(
                "`run_in_graph_and_eager_modes` only supports test methods. Did you mean to use "
                "`run_all_in_graph_and_eager_modes`?"
            )

        @functools.wraps(f)
        def wrapper(self: Any, *args: Any, **kwargs: Any) -> None:
            with suppress(unittest.SkipTest), graph_mode():
                with self.test_session(use_gpu=use_gpu, config=config):
                    f(self, *args, **kwargs)
            if reset_test:
                self.tearDown()
                self._tempdir = None
            with Graph().as_default(), eager_mode():
                if reset_test:
                    self.setUp()
                with nullcontext() if use_gpu else device("/device:CPU:0"):
                    f(self, *args, **kwargs)

        return wrapper

    return _apply_decorator(decorator, func)


def run_all_in_graph_and_eager_modes(cls: Any) -> Any:
    """Applies `run_in_graph_and_eager_modes` to each test of a class."""
    for name in dir(cls):
        method = getattr(cls, name, None)
        is_eager_test = name.startswith(("testSkipEager", "test_skip_eager"))
        if (
            name.startswith(_PREFIX)
            and name != "test_session"
            and not is_eager_test
            and callable(method)
        ):
            setattr(cls, name, run_in_graph_and_eager_modes(method))
    return cls


def for_all_test_methods(decorator: Callable, *args: Any, **kwargs: Any) -> Callable:
    """Class decorator that replaces each test method by `decorator(*args, **kwargs)(method)`."""

    def decorate(cls: Any) -> Any:
        for name in dir(cls):
            method = getattr(cls, name)
            if name.startswith(_PREFIX) and name != "test_session" and callable(method):
                setattr(cls, name, decorator(*args, **kwargs)(method))
        return cls

    return decorate


def deprecated_graph_mode_only(func: Any = None) -> Any:
    """Runs a test, or all tests of a class, in graph mode."""
    return _apply_decorator(_in_graph_mode, func)


def _in_graph_mode(function: Any) -> Any:
    if inspect.isclass(function):
        for name in dir(function):
            method = getattr(function, name)
            if name.startswith(_PREFIX) and name != "test_session" and callable(method):
                setattr(function, name, _in_graph_mode(method))
        return function

    @functools.wraps(function)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not executing_eagerly():
            return function(self, *args, **kwargs)
        with graph_mode():
            return function(self, *args, **kwargs)

    return wrapper


def run_v1_only(reason: str, func: Any = None) -> Any:
    """Marks a test or test class of TensorFlow 1 behavior; returns it unchanged.

    Raises:
      ValueError: if the reason is not a string.
    """
    if not isinstance(reason, str):
        raise ValueError(f"'reason' should be string, got {type(reason)}")
    return _apply_decorator(lambda f: f, func)


def run_v2_only(func: Any = None) -> Any:
    """Skips a test of TensorFlow 2 behavior."""
    reason = "Test is only compatible with v2"
    decorator = functools.partial(_require, reason, lambda: False, "run_v2_only")
    return _apply_decorator(decorator, func)


def run_gpu_only(func: Any = None) -> Any:
    """Skips a test if no GPU is available to sessions."""
    decorator = functools.partial(_require, "Test requires GPU", is_gpu_available, "run_gpu_only")
    return _apply_decorator(decorator, func)


def run_cuda_only(func: Any = None) -> Any:
    """Skips a test if no CUDA GPU is available to sessions."""
    reason = "Test requires CUDA GPU"
    decorator = functools.partial(_require, reason, is_gpu_available, "run_cuda_only")
    return _apply_decorator(decorator, func)


def skip_if(condition: Any) -> Callable:
    """Decorator that turns a function into a no-op if a condition (a value or a function) is true."""

    def decorator(fn: Callable) -> Callable:
        @functools.wraps(fn)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            is_skipped = condition() if callable(condition) else condition
            return None if is_skipped else fn(*args, **kwargs)

        return wrapper

    return decorator


def no_op(function: Any) -> Any:
    """Returns the test unchanged, since TensorFlow's decorator has no effect here."""
    return function


def no_op_with_description(description: str) -> Callable:
    """Returns a decorator that leaves tests unchanged; the description is ignored."""
    return _describe


def _describe(func: Callable | None = None) -> Any:
    return _apply_decorator(no_op, func)


def enable_tf_xla_constant_folding(description: str) -> Callable:
    """Returns a decorator that leaves tests unchanged, since XLA is unsupported.

    Raises:
      ValueError: if the description is not a string.
    """
    if not isinstance(description, str):
        raise ValueError(f"'description' should be string, got {type(description)}")
    return _describe


def enable_control_flow_v2(fn: Callable) -> Callable:
    """Runs the test with conditionals and loops built as If and While nodes."""

    @functools.wraps(fn)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with control_flow_v2.with_control_flow_v2():
            return fn(*args, **kwargs)

    return wrapper


def with_control_flow_v2(cls: Any) -> Any:
    """Adds a copy `...WithControlFlowV2` of each test in a class, which runs with `enable_control_flow_v2`."""
    if not control_flow_v2.control_flow_v2_enabled():
        for name, value in dict(vars(cls)).items():
            if name.startswith(_PREFIX) and callable(value):
                if not getattr(value, "_disable_control_flow_v2", False):
                    setattr(cls, f"{name}WithControlFlowV2", enable_control_flow_v2(value))
    return cls


def disable_control_flow_v2(unused_msg: str) -> Callable:
    """Marks a test that is incompatible with functional conditionals and loops."""

    def decorator(func: Callable) -> Callable:
        func._disable_control_flow_v2 = True  # type: ignore[attr-defined]
        return func

    return decorator


def use_deterministic_cudnn(func: Callable | None = None) -> Any:
    """Returns the test unchanged, since GPU kernels are deterministic."""
    return _apply_decorator(no_op, func)


def generate_combinations_with_testcase_name(**kwargs: Any) -> list[dict[str, Any]]:
    """Returns the combinations of options for `parameterized.named_parameters`, each with a `testcase_name`.

    Args:
      **kwargs: the values of each option, as a list or a single value.
    """
    combinations: list[dict[str, Any]] = [{}]
    for key in sorted(kwargs):
        values = kwargs[key] if isinstance(kwargs[key], list) else [kwargs[key]]
        combinations = [{**row, key: value} for row in combinations for value in values]
    return [
        {**combination, "testcase_name": _case_name(combination)} for combination in combinations
    ]


def _case_name(options: dict[str, Any]) -> str:
    parts = (f"_{_letters(key)}_{_letters(value)}" for key, value in options.items())
    return f"_test{''.join(parts)}"


def _letters(value: Any) -> str:
    return "".join(filter(str.isalnum, str(value)))
