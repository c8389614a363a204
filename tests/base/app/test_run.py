"""tf.app.run: flags, the arguments of main, and the exit status."""

import subprocess
import sys

DEFINED = """
import tfmini as tf
tf.app.flags.DEFINE_integer("steps", 1, "How many.")
def main(arguments):
    print(arguments[1:], tf.app.flags.FLAGS.steps)
    return 3
"""


def run(program, *arguments):
    """Runs a program with a command line; returns the completed process."""
    command = [sys.executable, "-c", DEFINED + program, *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_main_receives_remaining_arguments():
    done = run("tf.app.run()", "--steps=5", "--unknown=1", "rest")
    assert (done.returncode, done.stdout) == (3, "['--unknown=1', 'rest'] 5\n")


def test_explicit_main_and_argv():
    done = run(
        "tf.app.run(main=lambda argv: tf.logging.error(argv), argv=['prog', '--steps', '9', 'x'])"
    )
    assert (done.returncode, done.stdout) == (0, "")
    of_tensorflow, of_absl = done.stderr.splitlines()  # both handlers write, as in TensorFlow 1.15
    assert of_tensorflow == "ERROR:tensorflow:['prog', 'x']" and of_absl.endswith("] ['prog', 'x']")


def test_invalid_flag_value_exits_with_status_1():
    done = run("tf.app.run()", "--steps=many")
    assert done.returncode == 1
    assert done.stderr == (
        "FATAL Flags parsing error: flag --steps=many: invalid literal for int() with base 10: 'many'\n"
        "Pass --helpshort or --helpfull to see help on flags.\n"
    )


def test_main_error_keeps_its_traceback():
    done = run("def broken(_):\n    raise KeyError('lost')\ntf.app.run(main=broken)")
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("KeyError: 'lost'")
