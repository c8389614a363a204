"""Descriptions of arguments that several functions or classes share, written once."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

Described = TypeVar("Described", bound=Callable[..., Any])

# Sections that follow the arguments in a docstring.
_LATER_SECTION = re.compile(r"(Returns|Raises|Example)\b.*:")


def describe_arguments(descriptions: Mapping[str, str]) -> Callable[[Described], Described]:
    """Decorates a function or class whose docstring describes only its own arguments.

    Descriptions of the other arguments are added to the section "Args:", in the order of the signature:

        @describe_arguments({"reduction": "one of `tf.keras.losses.Reduction`.", "name": "scope name."})
        class Hinge(LossFunctionWrapper):
            ...

    Args:
      descriptions: the texts, by argument name; one text may describe several ("name, dtype").
    """

    def describe(target: Described) -> Described:
        if target.__doc__:  # none with python -OO
            names = inspect.signature(target).parameters
            target.__doc__ = _complete_doc(target.__doc__, names, descriptions)
        return target

    return describe


def _complete_doc(doc: str, names: Iterable[str], descriptions: Mapping[str, str]) -> str:
    lines = inspect.cleandoc(doc).split("\n")
    if "Args:" in lines:
        start = lines.index("Args:")
        end = lines.index("", start) if "" in lines[start:] else len(lines)
    else:
        line_indices = [n for n, line in enumerate(lines) if _LATER_SECTION.fullmatch(line)]
        start = end = line_indices[0] if line_indices else len(lines)
    entries = {key: f"  {key}: {text}" for key, text in descriptions.items()}
    docs_by_name: dict[str, str] = {}
    for line in lines[start + 1 : end]:
        if line.startswith("   "):  # continues the last description
            key, text = docs_by_name.popitem()
            docs_by_name[key] = f"{text}\n{line}"
        else:
            docs_by_name[line.partition(":")[0].strip()] = line
    entries |= docs_by_name
    first_names = {key.partition(",")[0].lstrip("*"): key for key in (*descriptions, *docs_by_name)}
    section = ["Args:", *(entries[first_names[name]] for name in names if name in first_names)]
    if start == end:  # no separate arguments
        head, tail = lines[:start], lines[start:]
        section = [*section, ""] if tail else ["", *section]
        return "\n".join([*head, *section, *tail])
    return "\n".join([*lines[:start], *section, *lines[end:]])
