"""`tf.make_template`, which makes all calls of a function share variables."""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.collections import get_collection, get_collection_ref
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.variables.captured_dependencies import capture_dependencies
from tfmini._src.variables.eager_variable_store import EagerVariableStore
from tfmini._src.variables.get_variable import VariableScope, scope_store, variable_store
from tfmini._src.variables.trackable import Trackable
from tfmini._src.variables.variable_scope import pure_variable_scope, variable_scope

# Collections by trainability; in eager mode, a template's store contains no other variables.
_COLLECTIONS = {
    True: (GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES),
    False: (GraphKeys.GLOBAL_VARIABLES,),
}


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Callable[..., Any] | None = None,
    **kwargs: Any,
) -> Template:
    """Wraps `func_` so that all calls share the variables created by the first call.

    Args:
      name_: variable scope of its variables, made unique.
      func_: a function that creates its variables with `tf.get_variable`.
      create_scope_now_: whether to open the scope now instead of in the first call.
      unique_name_: a scope name that is used as given, without making it unique.
      custom_getter_: a custom getter for the variables of `func_`.
      **kwargs: arguments of `func_` to bind.

    Raises:
      ValueError: without a name; for a `unique_name_` in eager mode; when called, if a later call creates a
        trainable variable.

    Example:

      scale = tf.make_template("scale", lambda x: x * tf.get_variable("factor", []))
      a, b = scale(x), scale(y)  # one variable, "scale/factor"
    """
    if kwargs:
        func_ = functools.partial(func_, **kwargs)
    if executing_eagerly() and unique_name_ is not None:
        raise ValueError("unique_name_ cannot be used when eager exeuction is enabled.")
    return Template(name_, func_, create_scope_now_, unique_name_, custom_getter_)


class Template(Trackable):
    """The result of `make_template`, which is called like the function."""

    name: str = read_only("The name given to `make_template`.")
    func: Callable = read_only("The function.")
    variable_scope: VariableScope | None = read_only(
        "The variable scope of its variables, None before the first call."
    )
    weights: list = read_only("Alias of `variables`.", "variables")
    trainable_weights: list = read_only("Alias of `trainable_variables`.", "trainable_variables")
    non_trainable_weights: list = read_only(
        "Alias of `non_trainable_variables`.", "non_trainable_variables"
    )

    def __init__(
        self,
        name: str,
        func: Callable,
        create_scope_now: bool = False,
        unique_name: str | None = None,
        custom_getter: Callable | None = None,
    ):
        self._func = func
        self._stack = traceback.format_stack()[:-2]
        self._name = name
        self._unique_name = unique_name
        self._custom_getter = custom_getter
        if name is None:
            raise ValueError("name cannot be None.")
        self._template_store: EagerVariableStore | None = None
        if executing_eagerly():
            default = variable_store()
            self._template_store = EagerVariableStore(
                default if default._keeps_eager_variables else None
            )
        self._variable_scope: VariableScope | None = None
        if create_scope_now:
            scope_name = unique_name or scope_store().unused(name)
            with pure_variable_scope(scope_name, custom_getter=custom_getter) as scope:
                self._variable_scope = scope
        self._variables_created = False
        self._first_call = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with self._template_store.as_default() if self._template_store else nullcontext():
            return self._call_in_its_scope(args, kwargs)

    def _call_in_its_scope(self, args: tuple, kwargs: dict) -> Any:
        if self._variable_scope:
            with variable_scope(self._variable_scope, reuse=not self._first_call):
                return self._call(args, kwargs)
        with variable_scope(
            self._unique_name, self._name, custom_getter=self._custom_getter
        ) as scope:
            self._variable_scope = scope
            return self._call(args, kwargs)

    def _call(self, args: tuple, kwargs: dict) -> Any:
        try:
            if self._variables_created:
                return self._call_again(args, kwargs)
            if not self._first_call:  # another thread is executing the first call
                return self._func(*args, **kwargs)
            self._first_call = False
            try:
                with capture_dependencies(self):
                    result = self._func(*args, **kwargs)
            except BaseException:
                self._first_call = True
                raise
            self._variables_created = True
            return result
        except Exception as error:
            first = error.args[0] if error.args else ""
            error.args = (
                f"{first}\n\noriginally defined at:\n{self._format_creation_stack()}",
                *error.args[1:],
            )
            raise

    def _call_again(self, args: tuple, kwargs: dict) -> Any:
        trainable = get_collection_ref(GraphKeys.TRAINABLE_VARIABLES)
        variables = get_collection_ref(GraphKeys.GLOBAL_VARIABLES)
        trainable_count, variable_count = len(trainable), len(variables)
        result = self._func(*args, **kwargs)
        if len(trainable) != trainable_count:
            raise ValueError(
                "Trainable variable created when calling a template after the first time, perhaps "
                "you "
                f"used tf.Variable when you meant tf.get_variable: {trainable[trainable_count:]}"
            )
        if len(variables) != variable_count:
            logs.info(
                "New variables created when calling a template after the first time, perhaps you "
                "used "
                "tf.Variable when you meant tf.get_variable: %s",
                variables[variable_count:],
            )
        return result

    def _format_creation_stack(self) -> str:
        """Formats the creation stack of the template, without the lines shared with the current stack."""
        current = traceback.format_stack()
        for index, (result, now) in enumerate(zip(self._stack, current)):
            if result != now:
                return "".join(self._stack[index:])
        return "".join(self._stack[-1:])

    @property
    def variable_scope_name(self) -> str | None:
        """The name of the variable scope, with a trailing slash."""
        if self._variable_scope is None:
            return None
        name = self._variable_scope.name
        return name if not name or name.endswith("/") else f"{name}/"

    def _collect(self, key: str) -> list:
        if not self._variables_created:
            return []
        scope = self.variable_scope_name
        if self._template_store is None:
            return get_collection(key, scope)
        # Nested templates share a store.
        variables = [v for v in self._template_store.variables() if v.name.startswith(scope or "")]
        return [v for v in variables if key in _COLLECTIONS[v.trainable]]

    @property
    def variables(self) -> list:
        """The global variables of the template, followed by its local variables."""
        return self.global_variables + self.local_variables

    @property
    def trainable_variables(self) -> list:
        return self._collect(GraphKeys.TRAINABLE_VARIABLES)

    @property
    def non_trainable_variables(self) -> list:
        trainable = set(self.trainable_variables)
        return [v for v in self.global_variables if v not in trainable]

    @property
    def global_variables(self) -> list:
        return self._collect(GraphKeys.GLOBAL_VARIABLES)

    @property
    def local_variables(self) -> list:
        return self._collect(GraphKeys.LOCAL_VARIABLES)

    @property
    @deprecated(
        "2017-02-21",
        "The .var_scope property is deprecated. Please change your "
        "code to use the .variable_scope property",
    )
    def var_scope(self) -> VariableScope | None:
        """Older name of `variable_scope`."""
        return self._variable_scope
