"""ci/check debian: its usage and the error for each missing requirement. A real root takes minutes and the network."""

import os
import subprocess

import pytest

from ci.commands.subcommands import ROOT


def run(*arguments, **variables):
    command = [ROOT / "ci" / "commands" / "checks" / "debian.sh", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables})


def test_help_shows_usage_and_requirements():
    done = run("--help")
    assert done.returncode == 0 and not done.stderr
    assert "usage: ci/check debian [--suite SUITE] [--python 3.N] DIR [COMMAND...]" in done.stdout
    assert "Requires root" in done.stdout and "debootstrap" in done.stdout


@pytest.mark.parametrize(
    "arguments, message",
    [((), "usage: ci/check debian"), (("--version",), "unknown option --version")],
)
def test_invalid_arguments(arguments, message):
    done = run(*arguments)
    assert done.returncode == 2 and message in done.stderr and not done.stdout


@pytest.mark.parametrize(
    "user, message", [("1000", "requires root, for chroot"), ("0", "requires debootstrap")]
)
def test_missing_requirements_are_named(tmp_path, user, message):
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "id").write_text(f"#!/bin/sh\necho {user}\n")
    (tools / "id").chmod(0o755)
    for name in ("bash", "dirname", "realpath"):
        os.symlink(f"/usr/bin/{name}", tools / name)
    done = run(tmp_path / "root", PATH=str(tools))
    assert done.returncode == 1 and message in done.stderr
    assert not (tmp_path / "root").exists()
