"""Shows the graph of a program: `python -m tests.conformance.short_programs TABLE NAME`, by either Python."""

import sys
import tempfile

from tests.conformance import short_programs

try:
    import tensorflow as tf
except ImportError:
    import tfmini as tf

table, name = sys.argv[1:]
short_programs.sums = short_programs.graph_lines
with tempfile.TemporaryDirectory() as folder:
    short_programs.in_folder(folder)
    for kind, found in short_programs.answer(tf, table, name).items():
        print(kind, *(found if isinstance(found, list) else [found]), sep="\n  ")
