"""Regular expressions on strings: full match and replacement."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.regular_expressions import Expression, PatternError, compile_pattern
from tfmini._src.graph.attributes import to_bytes, to_str
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import Dims, same_shape, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import dense, shape_text, unwrap_string
from tfmini._src.ops.string.string_elements import array_shape, scalar_string


def _expression(pattern: bytes) -> Expression:
    try:
        return compile_pattern(pattern)
    except PatternError as error:
        reason = str(error)
    invalid(f"Invalid pattern: {to_str(pattern)}, error: {reason}")


def _replace_matches(value: Any, pattern: bytes, rewrite: bytes, replaces_all: bool) -> Any:
    return unwrap_string(_expression(pattern).replace_in(dense(value), rewrite, replaces_all))


def _matches(value: Any, pattern: bytes) -> Any:
    return unwrap_string(_expression(pattern).match_texts(dense(value)))


def _check_scalar(name: str, value: Any) -> None:
    if array_shape(value):
        invalid(f"{name} must be scalar, but received {shape_text(array_shape(value))}")


@op(
    "RegexReplace",
    "input: string, pattern: string, rewrite: string -> output: string",
    differentiable=False,
    replace_global=True,
)
def regex_replace_op(xp, value, pattern, rewrite, *, replace_global):
    _check_scalar("Pattern", pattern)
    _check_scalar("Rewrite", rewrite)
    return _replace_matches(value, scalar_string(pattern), scalar_string(rewrite), replace_global)


@op(
    "StaticRegexReplace",
    "input: string -> output: string",
    check_attrs=lambda attrs, on_gpu: _expression(to_bytes(attrs["pattern"])),
    infer=same_shape,
    pattern=Attr("string"),
    rewrite=Attr("string"),
    replace_global=True,
)
def static_regex_replace_op(xp, value, *, pattern, rewrite, replace_global):
    return _replace_matches(value, to_bytes(pattern), to_bytes(rewrite), replace_global)


@op("RegexFullMatch", "input: string, pattern: string -> output: bool")
def regex_full_match_op(xp, value, pattern):
    _check_scalar("Pattern", pattern)
    return _matches(value, scalar_string(pattern))


@op(
    "StaticRegexFullMatch",
    "input: string -> output: bool",
    check_attrs=lambda attrs, on_gpu: _expression(to_bytes(attrs["pattern"])),
    infer=same_shape,
    pattern=Attr("string"),
)
def static_regex_full_match_op(xp, value, *, pattern):
    return _matches(value, to_bytes(pattern))


@regex_replace_op.infer
@regex_full_match_op.infer
def _(op) -> Dims:
    for value in op.inputs[1:]:
        with_rank(value._dims, 0)
    return op.inputs[0]._dims


@public
def regex_replace(
    input: TensorLike,
    pattern: TensorLike,
    rewrite: TensorLike,
    replace_global: bool = True,
    name: str | None = None,
) -> Tensor:
    """Replaces the matches of a regular expression in each string.

    Args:
      input: string tensor of any shape.
      pattern: a string or scalar string tensor, in RE2 syntax.
      rewrite: a string or scalar string tensor, in which `\\\\0` is the match and `\\\\1` to `\\\\9`
        are its groups.
      replace_global: whether to replace all matches or only the first.

    Returns:
      A string Tensor of the shape of `input`.

    Raises:
      InvalidArgumentError (when run): if the pattern is invalid.

    Example: `tf.strings.regex_replace("a1b22", "[0-9]+", "#")` is `"a#b#"`.
    """
    if isinstance(pattern, str | bytes) and isinstance(rewrite, str | bytes):
        return raw.StaticRegexReplace(
            input, pattern=pattern, rewrite=rewrite, replace_global=replace_global, name=name
        )
    return raw.RegexReplace(input, pattern, rewrite, replace_global=replace_global, name=name)


@public
def regex_full_match(input: TensorLike, pattern: TensorLike, name: str | None = None) -> Tensor:
    """Whether a regular expression matches each string entirely.

    Args:
      input: string tensor of any shape.
      pattern: a string or scalar string tensor, in RE2 syntax.

    Returns:
      A bool Tensor of the shape of `input`.

    Raises:
      InvalidArgumentError (when run): if the pattern is invalid.
    """
    if isinstance(pattern, str | bytes):
        return raw.StaticRegexFullMatch(input, pattern=pattern, name=name)
    return raw.RegexFullMatch(input, pattern, name=name)
