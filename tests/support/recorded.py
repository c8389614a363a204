"""Answers compared with recorded ones: a failure shows what TensorFlow 1.15.5 said and what tfmini says."""

import difflib
import operator

REFERENCE = "TensorFlow 1.15.5"


def same(found, recorded, where="", equal=operator.eq):
    """Fails unless tfmini's answer is the recorded one, or `equal(found, recorded)` says so."""
    __tracebackhide__ = True
    if not equal(found, recorded):
        raise AssertionError(described(found, recorded, where))


def described(found, recorded, where=""):
    """What both say, texts of several lines as their difference."""
    lines = [where] if where else []
    if isinstance(found, str) and isinstance(recorded, str) and "\n" in found + recorded:
        pair = recorded.splitlines(), found.splitlines()
        lines += difflib.unified_diff(*pair, REFERENCE, "tfmini", n=1, lineterm="")
    else:
        width = len(REFERENCE)
        lines += [f"{REFERENCE}: {recorded!r}", f"{'tfmini':>{width}}: {found!r}"]
    return "\n".join(lines)
