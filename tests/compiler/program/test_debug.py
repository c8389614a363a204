"""TFMINI_DEBUG: the known words."""

from tfmini._src.compiler.program import debug


def test_words(caplog):
    assert debug.parse_flags("") == frozenset()
    assert debug.parse_flags("plan, alias,") == {"plan", "alias"}
    assert caplog.messages == []


def test_an_unknown_word_is_warned_of(caplog):
    assert debug.parse_flags("plans,stages") == {"plans", "stages"}
    assert caplog.messages == [
        "TFMINI_DEBUG: unknown word 'plans'; known: alias, check, gpu, plan, stages."
    ]
