"""Importing tfmini preserves the garbage collector's on/off state, and exempts the objects that it creates."""

import subprocess
import sys

import pytest


def printed(code):
    command = [sys.executable, "-c", "import gc\n" + code]
    process = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return process.stdout.strip()


@pytest.mark.parametrize("before", ["enable", "disable"])
def test_import_preserves_collector_state(before):
    assert printed(f"gc.{before}(); import tfmini; print(gc.isenabled())") == str(
        before == "enable"
    )


def test_imported_objects_are_frozen():
    assert int(printed("import tfmini; print(len(gc.get_objects()))")) < 5000


def test_collection_is_paused_during_import():
    code = (
        "searches = []; gc.callbacks.append(lambda phase, _: searches.append(phase))\n"
        "import tfmini; print(len(searches))"
    )
    assert int(printed(code)) < 20


def test_many_existing_objects_are_not_frozen():
    code = "before = [[[]] for _ in range(50_000)]; import tfmini; print(gc.get_freeze_count())"
    assert printed(code) == "0"


def test_existing_objects_with_finalizers_are_not_frozen():
    code = (
        "class A:\n def __del__(self): pass\n"
        "before = A(); before.own = before\n"
        "import tfmini; print(gc.get_freeze_count())"
    )
    assert printed(code) == "0"


def test_frozen_objects_stay_frozen():
    code = "before = [[[]] for _ in range(50_000)]; gc.freeze(); import tfmini; print(gc.get_freeze_count())"
    assert int(printed(code)) > 50_000
