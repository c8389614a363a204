"""Regular expressions of TensorFlow's string ops, based on RE2, which matches in linear time.

The syntax is documented at https://github.com/google/re2/wiki/Syntax. Patterns and texts are bytes, with characters in
UTF-8; an invalid byte is not a character. The library is loaded on first use.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfmini._src.base.missing_package import missing_package
from tfmini._src.devices.host.native import strings

# `(?<name>` became a group in later versions. The replacement was never a group, and is equivalent in a set or
# quoted.
_NEW_GROUP, _NO_GROUP = b"(?<", b"(?\0"


class PatternError(ValueError):
    """Raised for a pattern that RE2 rejects, with RE2's reason as the text."""


@functools.lru_cache(maxsize=256)
def compile_pattern(pattern: bytes) -> Expression:
    """Returns the compiled expression of a pattern; raises PatternError if it is invalid."""
    return Expression(pattern)


class Expression:
    """A compiled pattern.

    Example: `compile_pattern(b"(a)(b)").replaced(b"abab", rb"\\2\\1", True)` is `b"baba"`.
    """

    def __init__(self, pattern: bytes):
        self._compiled = _compile_re2(pattern)
        self._pattern = _parse_pattern(pattern)

    def match_texts(self, texts: Any) -> Any:
        """Returns whether the pattern matches the whole of each text in an object array, in its shape."""
        flat = texts.ravel()
        matches = self._pattern and strings.matches(self._pattern, flat)
        return _fill_missing(matches, flat, np.bool_, self.matches).reshape(texts.shape)

    def replace_in(self, texts: Any, rewrite: bytes, replaces_all: bool) -> Any:
        """Applies `replace` to each text of an object array."""
        pieces, is_valid = _parse_rewrite(rewrite, self._compiled.groups)
        flat, partial = texts.ravel(), None
        if self._pattern and _REPEAT_ONCE in self._pattern.repeats and (is_valid or replaces_all):
            partial = strings.replace_pattern(self._pattern, flat, pieces, replaces_all)
        replace_with_library = functools.partial(
            self.replace, rewrite=rewrite, replaces_all=replaces_all
        )
        return _fill_missing(partial, flat, object, replace_with_library).reshape(texts.shape)

    def matches(self, text: bytes) -> bool:
        """Whether the pattern matches the whole `text`."""
        return self._compiled.fullmatch(text) is not None

    def replace(self, text: bytes, rewrite: bytes, replaces_all: bool) -> bytes:
        """Replaces the first match in `text`, or every non-overlapping match.

        In `rewrite`, a backslash and a digit stand for that group of the match (empty if unmatched), two backslashes
        for one. Text after any other backslash is dropped, and a single replacement is then skipped.
        """
        pieces, is_valid = _parse_rewrite(rewrite, self._compiled.groups)
        if not replaces_all:
            match = self._compiled.search(text) if is_valid else None
            if match is None:
                return text
            return text[: match.start()] + _fill_rewrite(pieces, match) + text[match.end() :]
        parts, position = [], 0
        for start, end, match in self._matches(text):
            parts += [text[position:start], _fill_rewrite(pieces, match)]
            position = end
        return b"".join([*parts, text[position:]])

    def _matches(self, text: bytes) -> Iterator[tuple[int, int, Any]]:
        """Yields the matches from left to right, without empty matches adjacent to another match."""
        position, last = 0, -1
        while position <= len(text):
            for match in self._compiled.finditer(text, position):
                start, end = match.span()
                # After an empty match RE2 advances one byte, possibly into the middle of a character.
                if start == end:
                    break
                yield start, end, match
                position = last = end
            else:
                return
            if end == last:
                position = end + _character_length(text, end)
            else:
                yield start, end, match
                position = last = end


def _compile_re2(pattern: bytes) -> Any:
    """Returns RE2's object for a pattern, with the syntax and messages of TensorFlow's RE2, from 2019."""
    try:
        import re2  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise missing_package("Regular expressions", "google-re2", "regex", error) from None

    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern.replace(_NEW_GROUP, _NO_GROUP), options)
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].replace(_NO_GROUP, _NEW_GROUP).decode("utf-8", "backslashreplace")
    raise PatternError(reason.replace("unexpected ): ", "missing ): ", 1))


# A character with its quantifier: a letter, an escaped symbol, any character except a newline, or one of a class.
_SIGN = rb"\\[wWdDsntrf!-/:-@\[-`{-~]"
_CLASS = rb"\[\^?-?(?:[^\W_]-[^\W_]|" + _SIGN + rb"|[\w .,:;=@#%&~<>!/'\"(){}*+?$\n\t])+-?\]"
_ATOM = re.compile(
    rb"([\w ,:;=@#%&~<>!/'\"\n\t-]|" + _SIGN + rb"|\\S|\.|" + _CLASS + rb")([*+?]?)(?![*+?{])",
    re.ASCII,
)
_BRACKET = re.compile(rb"\((?:\?:|(?!\?))|\)(?![*+?{])")
_SPACES = rb"\t\n\f\r "  # without Python's \v
_ASCII = bytes(range(128))
_REPEAT_ONCE, _REPEAT_OPTIONAL, _REPEAT_ANY = range(3)
_REPEATS = {
    b"": [_REPEAT_ONCE],
    b"?": [_REPEAT_OPTIONAL],
    b"*": [_REPEAT_ANY],
    b"+": [_REPEAT_ONCE, _REPEAT_ANY],
}
_MAX_ATOMS = 64


def _parse_pattern(pattern: bytes) -> strings.Pattern | None:
    """Returns a pattern in the string kernels' format; None if it has unsupported parts or too many characters."""
    is_anchored_at_start = pattern.startswith(b"^")
    position, repeats = int(is_anchored_at_start), list[int]()
    characters = np.zeros(len(_ASCII), np.uint64)
    groups, opened = [(0, 0)], list[int]()
    while position < len(pattern):
        if bracket := _BRACKET.match(pattern, position):
            if bracket[0] == b")":
                group = opened.pop()
                groups[group] = groups[group][0], len(repeats)
            elif bracket[0] == b"(":
                opened.append(len(groups))
                groups.append((len(repeats), 0))
            else:
                opened.append(0)
            position = bracket.end()
            continue
        atom = _ATOM.match(pattern, position)
        if atom is None:
            break
        matched_bytes = np.frombuffer(
            b"".join(re.findall(_to_python_syntax(atom[1]), _ASCII)), np.uint8
        )
        for repeat in _REPEATS[atom[2]]:
            if len(repeats) == _MAX_ATOMS:
                return None
            characters[matched_bytes] |= np.uint64(1 << len(repeats))
            repeats.append(repeat)
        position = atom.end()
    is_anchored_at_end = pattern[position:] == b"$"
    if opened or not (is_anchored_at_end or position == len(pattern)):
        return None
    groups[0] = 0, len(repeats)
    return strings.Pattern(
        characters, np.array(repeats, np.uint8), groups, is_anchored_at_start, is_anchored_at_end
    )


def _to_python_syntax(atom: bytes) -> bytes:
    """Converts an RE2 character to the syntax of `re`, which has more whitespace characters."""
    if atom in (rb"\s", rb"\S"):
        return b"[^"[: 1 + (atom == rb"\S")] + _SPACES + b"]"
    return re.sub(rb"\\(.)", lambda m: _SPACES if m[1] == b"s" else m[0], atom, flags=re.DOTALL)


def _fill_missing(partial: Any, texts: Any, dtype: Any, make: Callable[..., Any]) -> Any:
    """Fills in the missing results of a vector, or all of them, by applying `make` to their texts."""
    if partial is None:
        return np.fromiter(map(make, texts.tolist()), dtype, texts.size)
    result, remaining = partial
    for index in np.flatnonzero(remaining).tolist():
        result[index] = make(texts[index])
    return result


@functools.lru_cache(maxsize=256)
def _parse_rewrite(rewrite: bytes, groups: int) -> tuple[list[bytes | int], bool]:
    """Returns a rewrite as texts and group numbers, up to an invalid escape, and whether it is valid."""
    first, *rest = rewrite.split(b"\\")
    pieces: list[bytes | int] = [first]
    rest.reverse()
    while rest:
        piece = rest.pop()
        if piece[:1].isdigit():
            group = int(piece[:1])
            pieces += [group if group <= groups else b"", piece[1:]]
        elif not piece and rest:  # two backslashes
            pieces.append(b"\\" + rest.pop())
        else:
            return pieces, False
    return pieces, True


def _fill_rewrite(pieces: list[bytes | int], match: Any) -> bytes:
    return b"".join([p if isinstance(p, bytes) else match[p] or b"" for p in pieces])


def _character_length(text: bytes, start: int) -> int:
    """Returns the number of bytes of the character at `start`; one if it is not valid UTF-8."""
    for length in range(1, 5):
        try:
            text[start : start + length].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            continue
        return length
    return 1
