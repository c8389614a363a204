"""The output of `inspect` equals its guide's."""

import re
from pathlib import Path

import pytest

from tests.programs.cli.test_devices import tfmini

ROOT = Path(__file__).resolve().parents[3]
SHOWN = re.findall(
    r"```\n\$ python -m tfmini (inspect .*)\n([^`]*)```",
    (ROOT / "docs/guides/inspecting.md").read_text("utf-8"),
)


@pytest.mark.parametrize("command, output", SHOWN)
def test_guide_output_is_current(command, output, monkeypatch):
    monkeypatch.chdir(ROOT)
    process = tfmini(*command.split())
    assert (process.returncode, process.stdout, process.stderr) == (0, output, "")


def test_guide_shows_every_kind():
    kinds = [output.split("\n")[0].rpartition(": ")[2] for _, output in SHOWN]
    assert {"checkpoint", "graph", "saved model", "events", "records"} <= set(kinds)
