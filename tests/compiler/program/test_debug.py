"""TFMINI_DEBUG: the known words."""

from tfmini._src.compiler.program import debug


def test_debug_flags_are_parsed(caplog):
    assert debug.parse_flags("") == frozenset()
    assert debug.parse_flags("plan, alias,") == {"plan", "alias"}
    assert caplog.messages == []


def test_unknown_debug_flag_warns(caplog):
    assert debug.parse_flags("plans,stages") == {"plans", "stages"}
    assert caplog.messages == [
        "TFMINI_DEBUG: unknown word 'plans'; known: alias, check, gpu, plan, stages."
    ]
