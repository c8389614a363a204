"""Small invalid programs, by area, and their outcomes.

A case is a function of a module here, `case(tf)`, or, if it is a single expression, a row `name: expression` of the
text file next to the module, where a backslash continues a line. It raises during construction (stage "construction"),
or returns fetches, (fetches, feed_dict) or a function of a session, whose run then raises (stage "run"). Runs under
TensorFlow 1.15.5 on Python 3.7 and under tfmini.
"""

import inspect
import os
import re

import numpy as np

from tests.support import goldens
from tests.support.programs import wording

HERE = os.path.dirname(os.path.abspath(__file__))

# Text after one of these names depends on file locations, kernels, or the NumPy version.
ENDS = [
    "\nRegistered kernels:",
    "\n\t [[",
    "Originally defined at:",
    "\nTraceback (most recent call last):",
    " The requested array has an inhomogeneous shape",
]

# AutoGraph, which tfmini lacks here, prefixes errors from a layer's `call` with the converted lines.
CONVERTED = re.compile(
    r"in converted code:\n(?:.*?\n)??\n    \w+(?:Error|Exception): (.*)$", re.DOTALL
)


def cases(module):
    """The module's (name, case) pairs in source order."""
    made = [
        (name, case)
        for name, case in vars(module).items()
        if inspect.isfunction(case)
        and case.__module__ == module.__name__
        and list(inspect.signature(case).parameters) == ["tf"]
    ]
    made += rows(module).items()
    return sorted(made, key=lambda pair: pair[1].__code__.co_firstlineno)


def rows(module):
    """The cases of the module's text file: compiled at their lines there, with access to the module's names and np."""
    path = os.path.splitext(module.__file__)[0] + ".txt"
    names = dict(vars(module), np=np)
    found = {}
    for number, (name, expression) in written(path).items():
        code = compile("\n" * (number - 1) + "lambda tf: " + expression, path, "eval")
        found[name] = eval(code, names)
    return found


def written(path):
    """The name and expression of each row of a text file, by line number."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    found, start = {}, 0
    for number, line in enumerate(lines):
        if line.endswith("\\"):
            lines[number + 1] = line[:-1] + lines[number + 1].lstrip()
            continue
        if line:
            name, _, expression = line.partition(": ")
            found[start + 1] = name, expression
        start = number + 1
    return found


def outcome(tf, case):
    """The outcome of a case, and the error: its class, text, stage, node and user's line."""
    tf.reset_default_graph()
    tf.set_random_seed(7)
    works = tf.constant(42, name="works_afterwards")
    graph = tf.get_default_graph()
    try:
        made = case(tf)
    except Exception as error:
        return described(error, "construction"), error
    assert made is not None, case.__name__ + " ended without an error"
    with tf.Session(graph=graph) as sess:
        try:
            run(sess, made)
        except Exception as error:
            return dict(described(error, "run"), usable=usable(sess, works)), error
    raise AssertionError("no error came from " + case.__name__)


def run(sess, made):
    if inspect.isfunction(made):
        made(sess)
    elif isinstance(made, tuple):
        sess.run(made[0], feed_dict=made[1])
    else:
        sess.run(made)


def usable(sess, works):
    try:
        return int(sess.run(works)) == 42
    except Exception:
        return False


def described(error, stage):
    row = {"class": type(error).__name__, "text": text_of(error), "stage": stage}
    operation = getattr(error, "op", None)
    if operation is not None:
        place = place_of(operation)
        row["node"] = operation.name
        row["line"] = place and place[1] - place[2]
    return row


def text_of(error):
    """The message up to the node, without machine- and time-dependent parts."""
    text = str(error)
    converted = CONVERTED.match(text)
    if converted:
        text = converted[1].replace("\n    ", "\n").rstrip("\n")
    for end in ENDS:
        text = text.split(end)[0]
    return wording.scrub(text)


def place_of(operation):
    """The file and line in a case, or in a function it calls, that created an operation, and the function's first line;
    None if there is none. A list comprehension does not count as a function, as from Python 3.12 on."""
    frames = [
        f
        for f in operation.traceback_with_start_lines
        if f[0].startswith(HERE) and f[2] != "<listcomp>"
    ]
    return (frames[-1][0], frames[-1][1], frames[-1][4]) if frames else None


def path_of_golden(name):
    return goldens.golden_path("bad_input", name + ".json.xz")


def golden(name):
    return goldens.read(path_of_golden(name))
