"""Error hints, attached as notes."""

import subprocess
import sys

from tests.support.notes import read_hint
from tfmini._src.base.error_hints import add_hint

PROGRAM = "import tfmini as tf\ntf.get_variable('w', [2])\ntf.get_variable('w', [2])\n"


def test_hint_preserves_message() -> None:
    error = add_hint(ValueError("text"), "do this.")
    assert read_hint(error) == "Hint: do this."
    assert str(error) == "text"


def test_first_hint_is_kept() -> None:
    assert read_hint(add_hint(add_hint(ValueError(), "first"), "second")) == "Hint: first"


def test_hints_can_be_disabled(monkeypatch) -> None:
    for setting, shown in (("1", True), ("0", False)):
        monkeypatch.setenv("TFMINI_HINTS", setting)
        process = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
        assert process.returncode == 1
        assert ("\nHint: to build a model again" in process.stderr) == shown
