"""`tf.contrib.eager.make_template`: a template whose function can be traced."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tfmini._src.functions.tf_function import defun
from tfmini._src.variables.template import Template, make_template as make_plain


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Callable[..., Any] | None = None,
    create_graph_function_: bool = False,
    **kwargs: Any,
) -> Template:
    """`tf.make_template` with an option to trace `func_`.

    Args:
      name_, func_, create_scope_now_, unique_name_, custom_getter_, **kwargs: as in `tf.make_template`.
      create_graph_function_: whether to trace `func_`.
    """
    if kwargs:
        func_ = functools.partial(func_, **kwargs)
    if create_graph_function_:
        func_ = defun(func_)
    return make_plain(name_, func_, create_scope_now_, unique_name_, custom_getter_)
