"""Comparison with recorded answers; failures show both TensorFlow 1.15.5's and tfmini's."""

import difflib
import operator

REFERENCE = "TensorFlow 1.15.5"


def same(found, recorded, where="", equal=operator.eq):
    """Fails unless tfmini's answer equals the recorded one, by `equal(found, recorded)` if given."""
    __tracebackhide__ = True
    if not equal(found, recorded):
        raise AssertionError(explain(found, recorded, where))


def explain(found, recorded, where=""):
    """Both answers, multi-line texts as a diff."""
    lines = [where] if where else []
    if isinstance(found, str) and isinstance(recorded, str) and "\n" in found + recorded:
        pair = recorded.splitlines(), found.splitlines()
        lines += difflib.unified_diff(*pair, REFERENCE, "tfmini", n=1, lineterm="")
    else:
        width = len(REFERENCE)
        lines += [f"{REFERENCE}: {recorded!r}", f"{'tfmini':>{width}}: {found!r}"]
    return "\n".join(lines)
