"""tf.contrib.eager.run: a program whose main runs eagerly."""

import subprocess
import sys

PROGRAM = """
import tensorflow as tf
from tensorflow.contrib.eager.python import tfe
from tensorflow.python.framework import ops
assert tfe.run is tf.contrib.eager.run is ops.eager_run

def main(arguments):
    print(arguments[1:], float(tf.constant(6.0) * 7.0))
    return 3

tfe.run(argv=["program", "--unknown"])
"""


def test_main_runs_eagerly_with_remaining_arguments(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    command = [sys.executable, "-m", "tfmini", "run", str(path)]
    process = subprocess.run(command, capture_output=True, text=True)
    assert (process.returncode, process.stdout) == (3, "['--unknown'] 42.0\n"), process.stderr
