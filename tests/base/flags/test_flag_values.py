"""Flags as defined and read by 1.x programs; each runs in its own process, with its own command line."""

import subprocess
import sys

import pytest
from absl import flags as absl_flags

from tfmini._src.base.flags.flag_values import LazyFlagValues

DEFINED = """
import sys
import tfmini as tf
flags = tf.app.flags
flags.DEFINE_integer("steps", 1, "How many.")
flags.DEFINE_string("name", "here", "Where.")
flags.DEFINE_boolean("fast", False, "How.")
FLAGS = flags.FLAGS
"""


def run(program, *arguments):
    """The output of a program with a command line."""
    command = [sys.executable, "-c", DEFINED + program, *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_command_line_is_parsed_on_first_access():
    process = run("print(FLAGS.steps, FLAGS.name, FLAGS.fast)", "--steps=3", "--fast", "rest")
    assert (process.stdout, process.stderr) == ("3 here True\n", "")


def test_flags_are_set_and_looked_up():
    program = """
FLAGS.steps = 7
print(FLAGS.steps, FLAGS["steps"].value, "steps" in FLAGS, "other" in FLAGS)
print(sorted(set(FLAGS) & {"steps", "name"}), isinstance(FLAGS, flags.FlagValues))
names = {*FLAGS.flag_values_dict()} | {*getattr(FLAGS, "__flags")}
print(len(FLAGS), names >= {"log_dir", "pdb", "test_tmpdir", "op_conversion_fallback_to_while_loop"})
"""
    assert run(program).stdout == "7 7 True False\n['name', 'steps'] True\n24 True\n"


@pytest.mark.parametrize(
    "program, arguments, message",
    [
        ("FLAGS.other", (), "AttributeError: other"),
        ("FLAGS.steps", ("--nope=4",), "UnrecognizedFlagError: Unknown command line flag 'nope'"),
        (
            "FLAGS.steps",
            ("--steps=x",),
            "flag --steps=x: invalid literal for int() with base 10: 'x'",
        ),
        ("flags.DEFINE_integer('steps', 2, '')", (), "The flag 'steps' is defined twice."),
    ],
)
def test_errors_are_reported(program, arguments, message):
    process = run(program, *arguments)
    assert process.returncode == 1
    assert message in process.stderr


def test_old_argument_names_are_accepted():
    process = run(
        "flags.DEFINE_float(flag_name='rate', default_value=.5, docstring='How fast.')\nprint(FLAGS.rate)"
    )
    assert process.stdout == "0.5\n"
    assert (
        "Use of the keyword argument names (flag_name, default_value, docstring) is deprecated"
        in process.stderr
    )


def test_flags_belong_to_defining_module():
    process = run(
        "FLAGS.steps\nprint(sorted(f.name for f in FLAGS.get_key_flags_for_module(sys.argv[0])))"
    )
    assert process.stdout == "['fast', 'name', 'steps']\n"


def test_is_parsed_does_not_parse(monkeypatch):
    monkeypatch.setattr("sys.argv", ["program", "--speed=3"])
    plain = absl_flags.FlagValues()
    flags = LazyFlagValues(plain)
    absl_flags.DEFINE_integer("speed", 1, "How fast.", flag_values=plain)
    assert not flags.is_parsed()
    assert flags.speed == 3 and flags.is_parsed()
    assert str(flags) == str(plain)
