"""Builds and tries what a release publishes: the source distribution and wheels."""

from ci.commands.subcommands import Subcommand, dispatch

SUBCOMMANDS = {
    "build": Subcommand(
        "sources and wheels, tried on each Python that is found", "releases/build.sh"
    ),
    "wheels": Subcommand(
        "the wheel of this platform, or with --all those for Linux", "releases/wheels.sh"
    ),
}

if __name__ == "__main__":
    dispatch("release", __doc__ or "", SUBCOMMANDS, "build")
