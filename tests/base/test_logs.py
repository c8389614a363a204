"""tfmini._src.base.logs: output on stderr, levels, and the reported source lines."""

import logging
import subprocess
import sys

import pytest

from tfmini._src.base import logs

PROGRAM = """
from tfmini._src.base import logs
print(logs.get_verbosity())
logs.info("not shown")
logs.warn("w %d", 1)
logs.warning("W")
logs.error("e")
logs.fatal("f")
logs.log(35, "between")
logs.vlog(30, "v")
logs.TaskLevelStatusMessage("status")
logs.set_verbosity("DEBUG")
logs.debug("d")
logs.set_verbosity(logs.INFO)
logs.debug("not shown")
logs.log_if(logs.INFO, "if %s", True, "so")
logs.log_if(logs.INFO, "not shown", False)
logs.flush()
"""


def run(program):
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)


def test_messages_are_formatted_by_level():
    done = run(PROGRAM)
    assert done.stdout == "30\n"
    assert done.stderr.splitlines() == [
        "WARNING:tensorflow:w 1",
        "WARNING:tensorflow:W",
        "ERROR:tensorflow:e",
        "CRITICAL:tensorflow:f",
        "Level 35:tensorflow:between",
        "WARNING:tensorflow:v",
        "ERROR:tensorflow:status",
        "DEBUG:tensorflow:d",
        "INFO:tensorflow:if so",
    ]


def test_user_logging_configuration_is_kept():
    setup = "import logging; logging.basicConfig(format='mine %(message)s', level=logging.INFO)\n"
    done = run(setup + "from tfmini._src.base import logs\nlogs.info('hello')")
    assert done.stderr == "mine hello\n"


def test_interactive_sessions_show_info_on_stdout():
    done = run("import sys; sys.ps1 = '>'\nfrom tfmini._src.base import logs\nlogs.info('hello')")
    assert (done.stdout, done.stderr) == ("INFO:tensorflow:hello\n", "")


def test_level_constants():
    assert (logs.DEBUG, logs.INFO, logs.WARN, logs.ERROR, logs.FATAL) == (10, 20, 30, 40, 50)


@pytest.fixture
def shown(caplog):
    with caplog.at_level(logging.DEBUG, logger="tensorflow"):
        yield caplog


def test_log_first_n_counts_per_line(shown):
    for _ in range(2):
        for i in range(4):
            logs.log_first_n(logs.WARN, "first %d", 2, i)
    for i in range(4):
        logs.log_first_n(logs.WARN, "another %d", 1, i)
    assert shown.messages == ["first 0", "first 1", "another 0"]


def test_log_every_n(shown):
    for i in range(5):
        logs.log_every_n(logs.WARN, "every %d", 2, i)
    assert shown.messages == ["every 0", "every 2", "every 4"]


def test_records_name_calling_line(shown):
    logs.info("x")
    logs.log_if(logs.WARN, "x", True)
    logs.log_first_n(logs.WARN, "x", 1)
    assert {record.filename for record in shown.records} == {"test_logs.py"}
    assert {record.funcName for record in shown.records} == {"test_records_name_calling_line"}


def test_tensorflow_logger_level_is_respected():
    """Through TensorFlow's logger, by name, before or after the first message."""
    quiet = "import logging; logging.getLogger('tensorflow').setLevel(logging.ERROR)\n"
    say = "from tfmini._src.base import logs\nlogs.warning('w'); logs.error('e')\n"
    assert run(quiet + say).stderr == "ERROR:tensorflow:e\n"
    assert run(say + quiet + say).stderr.splitlines()[2:] == ["ERROR:tensorflow:e"]
    apart = "import logging; logging.getLogger('tensorflow').propagate = False\n"
    assert run(apart + say).stderr.splitlines() == ["WARNING:tensorflow:w", "ERROR:tensorflow:e"]


@pytest.mark.parametrize("level", ["debug", "info", "warn", "warning", "error", "fatal"])
def test_logging_keywords_are_accepted(level, caplog):
    caplog.set_level("DEBUG", "tensorflow")
    try:
        raise KeyError("mine")
    except KeyError:
        getattr(logs, level)("seen", exc_info=True, extra={"of": "mine"})
        logs.log(logging.ERROR, "also %d", 1, extra={"of": "log"})
        logs.vlog(logging.ERROR, "also", stack_info=True)
    first, second, third = caplog.records
    assert first.exc_info[0] is KeyError and first.of == "mine"
    assert second.of == "log" and third.stack_info.startswith("Stack (most recent call last)")
