"""Graphs exported as MetaGraphDefs, to be compared with TensorFlow's message for message.

A case is a function of a module here, `case(tf)`, which returns a MetaGraphDef. Runs under
TensorFlow 1.15.5 on Python 3.7 (`ci/golden`) and under tfmini. A golden file is a zip with a
message for each case of a module.
"""

import os
import zipfile

from tests import bad_input, recording

HERE = os.path.dirname(os.path.abspath(__file__))

cases = bad_input.cases


def made(tf, case):
    """The message of a case, from a fresh default graph."""
    tf.reset_default_graph()
    tf.set_random_seed(7)
    return case(tf)


def path_of_golden(name):
    return os.path.join(recording.GOLDEN, "meta_graphs", name + ".zip")


def write(tf, module, path):
    """The messages of a module's cases."""
    messages = [(name, made(tf, case)) for name, case in cases(module)]
    members = {name: message.SerializeToString(deterministic=True) for name, message in messages}
    recording.write_zip(members, path)


def golden(module, name):
    """The bytes of TensorFlow's message for a case."""
    with zipfile.ZipFile(path_of_golden(module)) as archive:
        return archive.read(name)
