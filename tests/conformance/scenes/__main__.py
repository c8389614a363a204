"""Prints scenes' output: `python -m tests.conformance.scenes FILE [SCENE]`, with TensorFlow's Python or this one."""

import sys

from tests.conformance import scenes

try:
    import tensorflow as tf
except ImportError:
    import tfmini as tf

for name, function in scenes.scenes(sys.argv[1]).items():
    if name in sys.argv[2:] or not sys.argv[2:]:
        print(name, *scenes.lines_of(tf, function), sep="\n  ")
