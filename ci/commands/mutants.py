"""Mutation testing: finds changes, and arguments, that no test notices."""

from ci.commands.subcommands import Subcommand, dispatch

SUBCOMMANDS = {
    "find": Subcommand("mutants that no test kills", "ci.commands.mutation"),
    "options": Subcommand(
        "arguments that tests pass only as their default",
        "ci.commands.mutation.options",
    ),
}

if __name__ == "__main__":
    dispatch("mutants", __doc__ or "", SUBCOMMANDS, "find")
