"""Extracts the kernel names of a file: the arguments of KERNEL(name) and WIDE_KERNEL(name), mostly used in macros.

Expands only macros that define kernels, MAKE... and FOR_..., and evaluates no conditions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_KERNEL_MACROS = r"(?:MAKE|FOR_)\w*"
_DEFINITION = re.compile(rf"#define ({_KERNEL_MACROS})\(([^)]*)\)(.*)", re.DOTALL)
_CALL = re.compile(rf"\b({_KERNEL_MACROS}|KERNEL|WIDE_KERNEL)\(")

_Macros = dict[str, tuple[list[str], str]]


def kernel_names(text: str) -> list[str]:
    """Returns the kernels of a source with inlined headers, in order."""
    text = re.sub(r"//[^\n]*", "", text).replace("\\\n", " ")
    macros: _Macros = {}
    names: list[str] = []
    for part in re.split(r"^(#.*\n)", text, flags=re.MULTILINE):
        if not part.startswith("#"):
            names += _defined_kernels(part, macros)
        elif definition := _DEFINITION.match(part):
            name, parameters, body = definition.groups()
            macros[name] = [parameter.strip() for parameter in parameters.split(",")], body
    return names


def _defined_kernels(text: str, macros: _Macros) -> Iterator[str]:
    """Yields the kernels that a source defines, directly or by macros."""
    position = 0
    while call := _CALL.search(text, position):
        arguments, position = _macro_arguments(text, call.end())
        if call[1] in macros:
            yield from _defined_kernels(_expand_macro(*macros[call[1]], arguments), macros)
        elif call[1].endswith("KERNEL"):
            yield arguments[0]


def _macro_arguments(text: str, begin: int) -> tuple[list[str], int]:
    """Returns the arguments of a macro after its parenthesis, and the position where they end."""
    depth, start, arguments = 0, begin, []
    for position in range(begin, len(text)):
        letter = text[position]
        if depth == 0 and letter in ",)":
            arguments.append(text[start:position].strip())
            start = position + 1
            if letter == ")":
                return arguments, start
        depth += (letter == "(") - (letter == ")")
    raise ValueError(f"unterminated macro arguments: {text[begin:]}")


def _expand_macro(parameters: list[str], body: str, arguments: list[str]) -> str:
    """Returns the body of a macro with its arguments substituted."""
    values = dict(zip(parameters, arguments))
    text = re.sub(r"\b[A-Za-z_]\w*", lambda word: values.get(word[0], word[0]), body)
    return re.sub(r"\s*##\s*", "", text)
