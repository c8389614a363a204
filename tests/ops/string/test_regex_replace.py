"""tf.strings.regex_replace with RE2's semantics."""

import tfmini as tf
from tests.support.lazy_modules import needs
from tests.support.sessions import run

pytestmark = needs("re2")


def test_empty_matches_and_missing_groups():
    """No empty match directly after another match; a missing group is empty, and an invalid
    reference ends the rewrite.
    """
    replace = tf.strings.regex_replace
    fetches = [
        replace("abaac", "a*", "-"),
        replace("abc", "x*", "-"),
        replace("aaa", "a", "b", replace_global=False),
        replace("a", "a", "x\\1"),
        replace("a", "a", "\\1", replace_global=False),
        replace("a\\b", "b", "\\\\"),
        replace("bab", "b", r"<\q>"),
        replace("bab", "b", r"<\q>", replace_global=False),
    ]
    some = [b"-b-c-", b"-a-b-c-", b"baa", b"x", b"", b"a\\\\"]
    assert run(fetches) == [*some, b"<a<", b"bab"]
