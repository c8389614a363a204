"""Row T18: tf.flags, tf.app.flags and tf.app.run."""

import subprocess
import sys
from pathlib import Path

from tests.support import snippets

FLAGS = Path(__file__).with_name("snippets") / "t18_flags.py"


def run(*command):
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)


def test_output_matches_tensorflow():
    """In a separate process: flags are global."""
    process = run(str(FLAGS))
    assert process.returncode == 0, process.stderr
    with open(snippets.path_of_golden("t18_flags"), encoding="utf8") as file:
        assert snippets.same(file.read(), process.stdout)


def test_runner_output_matches(tmp_path):
    program = tmp_path / "train.py"
    program.write_text(FLAGS.read_text().replace("tfmini as tf", "tensorflow as tf"))
    process = run("-m", "tfmini", "run", str(program))
    assert process.stdout == run(str(FLAGS)).stdout


def test_help_and_invalid_flag_value(tmp_path):
    program = tmp_path / "train.py"
    program.write_text(
        "import tensorflow as tf\n"
        "tf.flags.DEFINE_integer('steps', 5, 'How long.')\n"
        "tf.app.run(lambda _: print(tf.flags.FLAGS.steps))\n"
    )
    command = ("-m", "tfmini", "run", str(program))
    assert run(*command, "--steps=8").stdout == "8\n"
    shown = run(*command, "--help")
    assert shown.returncode == 1
    assert "--steps: How long." in shown.stdout and "(default: '5')" in shown.stdout
    invalid = run(*command, "--steps=many")
    assert invalid.returncode == 1
    assert "FATAL Flags parsing error: flag --steps=many" in invalid.stderr
