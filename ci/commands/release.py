"""Builds and tests the release distributions: the source distribution and wheels."""

from ci.commands.subcommands import Subcommand, dispatch

SUBCOMMANDS = {
    "build": Subcommand(
        "source distribution and wheels, tested on each available Python", "releases/build.sh"
    ),
    "wheels": Subcommand(
        "the wheel for this platform, or all Linux wheels with --all", "releases/wheels.sh"
    ),
}

if __name__ == "__main__":
    dispatch("release", __doc__ or "", SUBCOMMANDS, "build")
