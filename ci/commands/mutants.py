"""Mutation testing: finds mutated code, and optional parameters, that no test covers."""

from ci.commands.subcommands import Subcommand, dispatch

SUBCOMMANDS = {
    "find": Subcommand("mutations of the code that no test detects", "ci.commands.mutation"),
    "options": Subcommand(
        "optional parameters that tests never set to a non-default value",
        "ci.commands.mutation.options",
    ),
}

if __name__ == "__main__":
    dispatch("mutants", __doc__ or "", SUBCOMMANDS, "find")
