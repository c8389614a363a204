"""Planted mistakes, and arguments, that no test notices."""

from ci.commands.subcommands import Subcommand, dispatch

SUBCOMMANDS = {
    "find": Subcommand("small mistakes that no test finds", "ci.commands.mutation"),
    "options": Subcommand(
        "arguments that no test passes with another value than the default",
        "ci.commands.mutation.options",
    ),
}

if __name__ == "__main__":
    dispatch("mutants", __doc__ or "", SUBCOMMANDS, "find")
