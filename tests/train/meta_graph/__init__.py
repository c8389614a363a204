"""Graphs exported as MetaGraphDefs, to be compared with TensorFlow's message for message.

A case is a function in a module here, `case(tf)`, which returns a MetaGraphDef. It runs under
TensorFlow 1.15.5 on Python 3.7 (`ci/record`) and under tfmini. A recording is a folder with a
message for each case of a module.
"""

import os

from tests.conformance import bad_input
from tests.support import goldens

HERE = os.path.dirname(os.path.abspath(__file__))

cases = bad_input.cases


def made(tf, case):
    """The message of a case, from a fresh default graph."""
    tf.reset_default_graph()
    tf.set_random_seed(7)
    return case(tf)


def path_of_golden(name):
    return goldens.golden_path("meta_graphs", name + ".tar.xz")


def write(tf, module, path):
    """The messages of a module's cases."""
    messages = [(name, made(tf, case)) for name, case in cases(module)]
    members = {name: message.SerializeToString(deterministic=True) for name, message in messages}
    goldens.write_files(path, members)


def golden(module, name):
    """The bytes of TensorFlow's message for a case."""
    return goldens.read_files(path_of_golden(module))[name]
