"""Run the articles' snippets (tests/seeds/snippets) and catch what they print.

A snippet says `import tfmini as tf`; the reference runs the same file with its own package under
that name.
"""

import contextlib
import io
import os
import runpy
import sys
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))


def output_of(name, tf):
    """What the snippet prints, run in a fresh default graph with `tf` as tfmini."""
    path = os.path.join(HERE, "seeds", "snippets", name + ".py")
    out = io.StringIO()
    tf.reset_default_graph()
    with mock.patch.dict(sys.modules, {"tfmini": tf}), contextlib.redirect_stdout(out):
        runpy.run_path(path, run_name="__main__")
    return out.getvalue()


def path_of_golden(name):
    return os.path.join(HERE, "golden", "seeds", name + ".txt")
