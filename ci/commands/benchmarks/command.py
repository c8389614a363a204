"""The benchmarks' shared command line."""

import argparse


def make_parser(command: str, document: str | None) -> argparse.ArgumentParser:
    """A parser whose help is a module's docstring: its first paragraph above the options, the rest below."""
    about, _, rest = (document or "").partition("\n\n")
    return argparse.ArgumentParser(
        prog=command,
        description=about,
        epilog=rest,
        formatter_class=argparse.RawTextHelpFormatter,
    )
