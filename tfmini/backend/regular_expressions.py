"""RE2's regular expressions as Python's.

TensorFlow's patterns are RE2's (https://github.com/google/re2/wiki/Syntax): no look-around, no
backreferences; classes such as `\\w` and `[[:alpha:]]` are ASCII, `.` is a character of UTF-8 and
`$` the very end. `compiled` refuses what RE2 refuses, with its words.
"""

from __future__ import annotations

import functools
import re

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "perl": r"\t\n\f\r ",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
_NEGATED = {
    name: f"{part}"
    for name, part in {
        "alpha": r"\x00-@\[-`{-\U0010ffff",
        "digit": r"\x00-/:-\U0010ffff",
        "perl": r"\x00-\x08\v\x0e-\x1f!-\U0010ffff",
        "space": r"\x00-\x08\x0e-\x1f!-\U0010ffff",
        "word": r"\x00-/:-@\[-^`{-\U0010ffff",
        "alnum": r"\x00-/:-@\[-`{-\U0010ffff",
        "lower": r"\x00-`{-\U0010ffff",
        "upper": r"\x00-@\[-\U0010ffff",
        "punct": r"\x00- 0-9A-Za-z\x7f-\U0010ffff",
    }.items()
}
_SHORT = dict(zip("dDwWsS", "digit digit word word perl perl".split()))
_WORD = "[0-9A-Za-z_]"
_ESCAPED = r"[\udc80-\udcff]"
_BOUNDARY = f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))"
_NO_BOUNDARY = f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))"
_GROUP = re.compile(r"\(\?(?:P<(\w+)>|([a-zA-Z-]*)([:)]))")
_MULTILINE = re.compile(r"\(\?[is]*m")
_COUNT = re.compile(r"\{(\d+)(,?)(\d*)\}")
_ESCAPES = set("dDwWsSbBAaftnrvxpPQCz01234567")


class PatternError(ValueError):
    """A pattern that RE2 refuses; the text is RE2's reason."""


@functools.lru_cache(maxsize=256)
def compiled(pattern: str, with_escapes: bool = False) -> re.Pattern[str]:
    """Python's pattern for one of RE2; raises PatternError.

    with_escapes: the pattern for text with surrogates, which stand for bytes that are no UTF-8: no
    class of characters has them.
    """
    return re.compile(_Translation(pattern, with_escapes).text())


class _Translation:
    """One pass over a pattern, from left to right."""

    def __init__(self, pattern: str, with_escapes: bool):
        self.pattern = pattern
        self.character = f"(?:(?!{_ESCAPED})%s)" if with_escapes else "%s"
        self.at = 0
        self.parts: list[str] = []
        # For each open group the flags set in it: each opens a group of its own, closed with it.
        self.open: list[list[str]] = [[]]

    def text(self) -> str:
        repeatable, repetition = False, ""
        while self.at < len(self.pattern):
            start = self.at
            char = self.pattern[start]
            count = _COUNT.match(self.pattern, start) if char == "{" else None
            if char in "*+?" or count:
                operator = count[0] if count else char
                self._check_repetition(operator, count, repeatable, repetition)
                self.at += len(operator)
                if self.pattern[self.at : self.at + 1] == "?":
                    operator += "?"
                    self.at += 1
                self.parts.append(operator)
                repetition = operator
                continue
            repeatable, repetition = char not in "(|", ""
            self._one(char)
        if len(self.open) > 1:
            raise PatternError(f"missing ): {self.pattern}")
        self.parts.append(")" * len(self.open[0]))
        return "".join(self.parts)

    def _check_repetition(
        self, operator: str, count: re.Match[str] | None, repeatable: bool, before: str
    ) -> None:
        if count:
            low, high = int(count[1]), int(count[3] or count[1])
            if high < low or max(low, high) > 1000:
                raise PatternError(f"invalid repetition size: {operator}")
        if not repeatable:
            raise PatternError(f"no argument for repetition operator: {operator}")
        if before:
            raise PatternError(f"bad repetition operator: {before}{operator}")

    def _one(self, char: str) -> None:
        if char == "\\":
            self._escape()
        elif char == "[":
            self._set()
        elif char == "(":
            self._group()
        elif char == ")":
            if len(self.open) == 1:
                raise PatternError(f"missing ): {self.pattern}")
            self.parts.append(")" * (len(self.open.pop()) + 1))
            self.at += 1
        elif char == "|":
            # A flag set within an alternative holds for those after it too.
            self.parts += [")" * len(self.open[-1]), "|", *self.open[-1]]
            self.at += 1
        else:
            if char == "$" and not self._multiline():
                char = r"\Z"
            elif char == ".":
                char = self.character % "."
            self.parts.append(re.escape(char) if char in "{}" else char)
            self.at += 1

    def _multiline(self) -> bool:
        return any(map(_MULTILINE.match, self.parts))

    def _escape(self) -> None:
        char = self.pattern[self.at + 1 : self.at + 2]
        if not char:
            raise PatternError("trailing \\")
        if char.isascii() and char.isalnum() and char not in _ESCAPES or char in "1234567":
            raise PatternError(f"invalid escape sequence: \\{char}")
        self.at += 2
        if char == "Q":
            end = self.pattern.find(r"\E", self.at)
            literal = self.pattern[self.at : end if end >= 0 else None]
            self.at = end + 2 if end >= 0 else len(self.pattern)
            self.parts.append(f"(?:{re.escape(literal)})" if literal else "")
        elif char == "z":
            self.parts.append(r"\Z")
        elif char == "C":
            self.parts.append(r"(?s:.)")
        elif char in "pP":
            self._property(char)
        elif char == "x":
            self.parts.append(re.escape(self._hexadecimal()))
        elif char in _SHORT:
            members = _CLASSES[_SHORT[char]]
            found = f"[^{members}]" if char.isupper() else f"[{members}]"
            self.parts.append(self.character % found)
        elif char in "bB":
            self.parts.append(_BOUNDARY if char == "b" else _NO_BOUNDARY)
        else:
            self.parts.append("\\" + char)

    def _hexadecimal(self) -> str:
        match = re.compile(r"\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2})").match(self.pattern, self.at)
        if match is None:
            raise PatternError(f"invalid escape sequence: \\x{self.pattern[self.at : self.at + 1]}")
        self.at = match.end()
        return chr(int(match[1] or match[2], 16))

    def _property(self, char: str) -> None:
        """Letters and numbers, which Python's classes have; others are refused."""
        match = re.compile(r"\{(\^?\w+)\}|(\w)").match(self.pattern, self.at)
        name = (match[1] or match[2]) if match else ""
        if match is None or name not in _PROPERTIES:
            shown = match[0] if match else ""
            raise PatternError(f"invalid character class range: \\{char}{shown}")
        self.at = match.end()
        positive, negative = _PROPERTIES[name]
        self.parts.append(self.character % (positive if char == "p" else negative))

    def _group(self) -> None:
        if not self.pattern.startswith("(?", self.at):
            self.parts.append("(")
            self.open.append([])
            self.at += 1
            return
        match = _GROUP.match(self.pattern, self.at)
        flags = match[2] if match else None
        if match is None or (flags is not None and set(flags) - set("ims-")):
            raise PatternError(f"invalid perl operator: {self.pattern[self.at : self.at + 3]}")
        self.at = match.end()
        if flags is None:
            self.parts.append(match[0])
            self.open.append([])
        elif match[3] == ")":
            self.parts.append(f"(?{flags}:")
            self.open[-1].append(self.parts[-1])
        else:
            self.parts.append(f"(?{flags}:")
            self.open.append([])

    def _set(self) -> None:
        start = self.at
        pattern = self.pattern
        self.at += 1
        text = "["
        if pattern.startswith("^", self.at):
            text += "^"
            self.at += 1
        first = True
        while first or not pattern.startswith("]", self.at):
            if self.at >= len(pattern):
                raise PatternError(f"missing ]: {pattern[start:]}")
            first = False
            named = re.compile(r"\[:(\^?)(\w+):\]").match(pattern, self.at)
            if named:
                known = _NEGATED if named[1] else _CLASSES
                if named[2] not in known:
                    raise PatternError(f"invalid character class range: {named[0]}")
                text += known[named[2]]
                self.at = named.end()
                continue
            text += self._member()
        self.at += 1
        self.parts.append(self.character % (text + "]"))

    def _member(self) -> str:
        """One character of a set, or a range."""
        pattern, start = self.pattern, self.at
        low = self._character()
        if pattern.startswith("-", self.at) and pattern[self.at + 1 : self.at + 2] not in ("]", ""):
            self.at += 1
            high = self._character()
            if low[-1] > high[-1] and len(low) == len(high) <= 2:
                raise PatternError(f"invalid character class range: {pattern[start : self.at]}")
            return f"{low}-{high}"
        return low

    def _character(self) -> str:
        char = self.pattern[self.at]
        self.at += 1
        if char == "\\" and self.at < len(self.pattern):
            char = self.pattern[self.at]
            self.at += 1
            if char == "x":
                return re.escape(self._hexadecimal())
            if char in _SHORT:
                return (_NEGATED if char.isupper() else _CLASSES)[_SHORT[char]]
            return "\\" + char
        return "\\" + char if char in "[]&~|^-" else char


_PROPERTIES = {
    "L": (r"[^\W\d_]", r"[\W\d_]"),
    "N": (r"\d", r"\D"),
    "Nd": (r"\d", r"\D"),
}
