"""Checks that a change must pass in addition to the tests."""

from ci.commands.subcommands import Subcommand, dispatch

SUBCOMMANDS = {
    "all": Subcommand(
        "format, lint, types, layers, the steps below except arm64, and the full tier",
        "checks/all.sh",
    ),
    "words": Subcommand(
        "unidiomatic English, with replacements: warns only", "ci.commands.checks.words"
    ),
    "docs": Subcommand("the pages as a site, warnings as errors", "checks/docs.sh"),
    "kernels": Subcommand("CUDA kernels compiled for each architecture", "tests.kernels.matrix"),
    "native": Subcommand("CPU kernels under sanitizers, with invalid input", "checks/native.sh"),
    "debian": Subcommand("the suite, or a command, with Debian's Python", "checks/debian.sh"),
    "arm64": Subcommand("CPU kernels cross-compiled for arm64, under QEMU", "checks/arm64.sh"),
}

if __name__ == "__main__":
    dispatch("check", __doc__ or "", SUBCOMMANDS, "all")
