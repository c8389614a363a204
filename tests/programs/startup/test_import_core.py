"""Importing tfmini preserves the garbage collector's on/off state, and exempts the objects that it creates."""

import subprocess
import sys

import pytest


def printed(code):
    command = [sys.executable, "-c", "import gc\n" + code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


@pytest.mark.parametrize("before", ["enable", "disable"])
def test_the_collector_is_as_before(before):
    assert printed(f"gc.{before}(); import tfmini; print(gc.isenabled())") == str(
        before == "enable"
    )


def test_what_is_imported_is_not_searched():
    assert int(printed("import tfmini; print(len(gc.get_objects()))")) < 5000


def test_nothing_is_searched_meanwhile():
    code = (
        "searches = []; gc.callbacks.append(lambda phase, _: searches.append(phase))\n"
        "import tfmini; print(len(searches))"
    )
    assert int(printed(code)) < 20


def test_many_objects_from_before_are_searched_as_ever():
    code = "before = [[[]] for _ in range(50_000)]; import tfmini; print(gc.get_freeze_count())"
    assert printed(code) == "0"


def test_objects_with_finalizers_from_before_are_searched_as_ever():
    code = (
        "class A:\n def __del__(self): pass\n"
        "before = A(); before.own = before\n"
        "import tfmini; print(gc.get_freeze_count())"
    )
    assert printed(code) == "0"


def test_frozen_objects_stay_frozen():
    code = "before = [[[]] for _ in range(50_000)]; gc.freeze(); import tfmini; print(gc.get_freeze_count())"
    assert int(printed(code)) > 50_000
