"""RE2, the regular expressions of TensorFlow's string ops: matching takes time linear in the text.

Its syntax is https://github.com/google/re2/wiki/Syntax. Patterns and texts are bytes: characters are
those of UTF-8, and a byte that is no UTF-8 is no character. The library loads at its first use.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

# `(?<name>` became a group later. Where it stands for text, in a set or quoted, so does the other, which
# never was a group.
_NEW_GROUP, _NO_GROUP = b"(?<", b"(?\0"


class PatternError(ValueError):
    """A pattern that RE2 refuses; the text is RE2's reason."""


@functools.lru_cache(maxsize=256)
def compiled(pattern: bytes) -> Expression:
    """The expression for a pattern; raises PatternError."""
    return Expression(pattern)


class Expression:
    """A compiled pattern.

    Example: `compiled(b"(a)(b)").replaced(b"abab", rb"\\2\\1", True)` is `b"baba"`.
    """

    def __init__(self, pattern: bytes):
        self._compiled = _compiled(pattern)
        self._plain, self._may_be_empty = _plain(pattern)

    def matches(self, text: bytes) -> bool:
        """Whether the pattern matches all of `text`."""
        if self._plain is not None and text.isascii():
            return self._plain.fullmatch(text) is not None
        return self._compiled.fullmatch(text) is not None

    def replaced(self, text: bytes, rewrite: bytes, everywhere: bool) -> bytes:
        """`text` with its first match replaced, or each that does not overlap one before it.

        In `rewrite` a backslash with a digit is that group of the match, empty if there is none, and two backslashes
        are one. What follows any other backslash is left out; with it, the first match alone is not replaced.
        """
        pieces, is_valid = _parsed(rewrite, self._compiled.groups)
        if not everywhere:
            match = self._compiled.search(text) if is_valid else None
            if match is None:
                return text
            return text[: match.start()] + _filled(pieces, match) + text[match.end() :]
        constant = _filled(pieces, None) if all(isinstance(p, bytes) for p in pieces) else None
        if self._plain is not None and not self._may_be_empty and text.isascii():
            if constant is not None:
                return self._plain.sub(constant.replace(b"\\", b"\\\\"), text)
        parts, at = [], 0
        for start, end, match in self._matches(text):
            parts.append(text[at:start])
            parts.append(_filled(pieces, match) if constant is None else constant)
            at = end
        return b"".join([*parts, text[at:]])

    def _matches(self, text: bytes) -> Iterator[tuple[int, int, Any]]:
        """The matches from left to right, but no empty one right behind another."""
        at, last = 0, -1
        while at <= len(text):
            for match in self._compiled.finditer(text, at):
                start, end = match.span()
                if (
                    start == end
                ):  # behind it the library goes a byte on, which may be amid a character
                    break
                yield start, end, match
                at = last = end
            else:
                return
            if end == last:
                at = end + _length_of_character(text, end)
            else:
                yield start, end, match
                at = last = end


def _compiled(pattern: bytes) -> Any:
    """RE2's object for a pattern, with the syntax and the words of TensorFlow's RE2, which is of 2019."""
    import re2  # noqa: PLC0415

    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern.replace(_NEW_GROUP, _NO_GROUP), options)
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].replace(_NO_GROUP, _NEW_GROUP).decode("utf-8", "backslashreplace")
    raise PatternError(reason.replace("unexpected ): ", "missing ): ", 1))


# A character with what repeats it: a letter, an escaped sign, any but the line's end, or one of a class.
_CLASS = rb"\[\^?(?:[^\W_]-[^\W_]|[\w .,:;=@#%&~<>!/])+\]"
_ATOM = re.compile(
    rb"(?:[\w ,:;=@#%&~<>!/'\"-]|\\[.+*?()|{}\[\]\\^$d-]|\.|" + _CLASS + rb")([*+?]?)(?![*+?{])",
    re.ASCII,
)
# `re` goes back: with so many its time is the square of a text's length at most.
_MOST_REPEATS = 2


def _plain(pattern: bytes) -> tuple[re.Pattern[bytes] | None, bool]:
    """A pattern as Python's own, which takes a tenth of the time for a match, and whether it matches an empty text.

    None unless both take the same from a text in ASCII, and Python no longer than it should.
    """
    at, repeats = 0, []
    while at < len(pattern):
        atom = _ATOM.match(pattern, at)
        if atom is None:
            return None, True
        repeats.append(atom[1])
        at = atom.end()
    if sum(repeat in (b"*", b"+") for repeat in repeats) > _MOST_REPEATS:
        return None, True
    try:
        return re.compile(pattern), not any(repeat in (b"", b"+") for repeat in repeats)
    except re.error:
        return None, True


@functools.lru_cache(maxsize=256)
def _parsed(rewrite: bytes, groups: int) -> tuple[list[bytes | int], bool]:
    """A rewrite as text and numbers of groups, up to what is neither; whether there is no such thing."""
    first, *rest = rewrite.split(b"\\")
    pieces: list[bytes | int] = [first]
    rest.reverse()
    while rest:
        piece = rest.pop()
        if piece[:1].isdigit():
            number = int(piece[:1])
            pieces += [number if number <= groups else b"", piece[1:]]
        elif not piece and rest:  # two backslashes
            pieces.append(b"\\" + rest.pop())
        else:
            return pieces, False
    return pieces, True


def _filled(pieces: list[bytes | int], match: Any) -> bytes:
    return b"".join([p if isinstance(p, bytes) else match[p] or b"" for p in pieces])


def _length_of_character(text: bytes, start: int) -> int:
    """The number of bytes of the character at `start`; one if it is not valid UTF-8."""
    for length in range(1, 5):
        try:
            text[start : start + length].decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            continue
        return length
    return 1
