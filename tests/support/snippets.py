"""Runs the articles' snippets (tests/conformance/seeds/snippets) and compares their output.

A snippet begins with `import tfmini as tf`; the reference runs the same file with its own package under that name.
Output is captured at the file descriptor, since TensorFlow prints placements from C++; snippets whose names end in
"_stderr" have stderr captured too.
"""

import contextlib
import ctypes
import os
import re
import runpy
import sys
import tempfile
from unittest import mock

import numpy as np

from tests.support import recorded
from tests.support.programs import wording

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FLOAT = re.compile(r"-?\d+\.\d*(?:e[-+]?\d+)?|-?\d+e[-+]?\d+")


def run_snippet(name, tf):
    """Runs a snippet in a new default graph with `tf` as tfmini; returns its output."""
    path = os.path.join(HERE, "conformance", "seeds", "snippets", name + ".py")
    tf.reset_default_graph()
    descriptors = (1, 2) if name.endswith("_stderr") else (1,)
    verbosity = tf.logging.get_verbosity()  # a snippet may change it
    with tempfile.TemporaryFile() as file:
        try:
            with known_as_tfmini(tf), capture_output(descriptors, file):
                runpy.run_path(path, run_name="__main__")
        finally:
            tf.logging.set_verbosity(verbosity)
        file.seek(0)
        return wording.scrub(file.read().decode("utf8"))


@contextlib.contextmanager
def known_as_tfmini(tf):
    """Makes `import tfmini` return `tf`; modules imported within stay loaded, since C libraries load only once."""
    kept = sys.modules.pop("tfmini", None)
    sys.modules["tfmini"] = tf
    try:
        yield
    finally:
        del sys.modules["tfmini"]
        if kept is not None:
            sys.modules["tfmini"] = kept


@contextlib.contextmanager
def capture_output(descriptors, file):
    """Redirects the file descriptors, for Python and C output, to a file."""
    kept = [os.dup(descriptor) for descriptor in descriptors]
    names = {1: "stdout", 2: "stderr"}
    with contextlib.ExitStack() as stack:
        for descriptor in descriptors:
            os.dup2(file.fileno(), descriptor)
            text = os.fdopen(os.dup(file.fileno()), "w", buffering=1, encoding="utf8")
            stack.enter_context(text)
            stack.enter_context(mock.patch.object(sys, names[descriptor], text))
        try:
            yield
        finally:
            ctypes.CDLL(None).fflush(None)
            for descriptor, copy in zip(descriptors, kept):
                os.dup2(copy, descriptor)
                os.close(copy)


def check(name, tf):
    """Asserts that a snippet's output matches TensorFlow 1.15.5's, up to the last digits of floats."""
    with open(path_of_golden(name), encoding="utf8") as file:
        expected = file.read()
    with np.printoptions(legacy="1.25"):
        made = run_snippet(name, tf)
    recorded.same(made, expected, equal=lambda made, expected: same(expected, made))


def same(expected, made):
    """Whether texts are equal except for whitespace (array padding) and the last digits of floats."""
    pairs = [(FLOAT.split(text), FLOAT.findall(text)) for text in (expected, made)]
    (wanted_words, wanted_numbers), (made_words, made_numbers) = pairs
    if [w.split() for w in wanted_words] != [w.split() for w in made_words]:
        return False
    return np.allclose(np.float64(made_numbers), np.float64(wanted_numbers), rtol=2e-6, atol=1e-8)


def path_of_golden(name):
    return os.path.join(HERE, "golden", "seeds", name + ".txt")
