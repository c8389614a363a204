"""`tfmini launch`: a launcher that is ended takes its tasks with it."""

import os
import signal
import subprocess
import sys

import pytest

from tests.distributed.tasks import environment

TASK = """
import os, time
print("pid", os.getpid(), flush=True)
time.sleep(600)
"""


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name != "posix", reason="this system has other signals")
def test_a_launcher_that_is_ended(tmp_path):
    script = tmp_path / "task.py"
    script.write_text(TASK)
    launcher = subprocess.Popen(
        [sys.executable, "-m", "tfmini", "launch", "--ps", "1", "--workers", "1", str(script)],
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    tasks = []
    with launcher.stdout as lines:
        while len(tasks) < 2:
            line = lines.readline()
            assert line, "the launcher has ended"
            if " pid " in line:
                tasks.append(int(line.split()[-1]))
        launcher.terminate()
        assert launcher.wait(60) == 128 + signal.SIGTERM
    assert not any(is_running(task) for task in tasks)
