"""Generated files equal the output of their generators."""

import subprocess

import pytest

from ci.commands.generate import FROM_THE_TREE
from ci.commands.subcommands import ROOT


@pytest.mark.parametrize("name", FROM_THE_TREE)
def test_generated_file_is_up_to_date(name: str) -> None:
    command = FROM_THE_TREE[name].command(["--check"])
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"run ci/generate {name}: {done.stderr}"
