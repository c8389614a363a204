"""Saves over an existing checkpoint, each interrupted at a different file operation.

`python -m tests.formats.interrupted_saves FOLDER fail|kill one|merged` creates a folder for each operation, in which a
forked process saves NEW over OLD until that operation, which fails or in whose place the process is killed.
"""

import errno
import os
import signal
import sys
from pathlib import Path

import numpy as np

from tests.formats.writing import write
from tfmini._src.base.errors import OpError
from tfmini._src.formats.bundle_writer import merge_bundles

OLD = {"a": np.arange(5.0), "b": np.ones([2, 3], np.int32)}
NEW = {"a": np.arange(5.0) + 1, "b": np.zeros([2, 3], np.int32)}
OPERATIONS = ("open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.fsync")
UNTOUCHED, FINISHED, REFUSED = range(3)


def save_one(prefix, values):
    write(prefix, values, syncs=True)


def save_merged(prefix, values):
    """Saves parts for two devices, as a Saver does."""
    folder = prefix.with_name(prefix.name + "_temp_" + "0" * 32)
    parts = [str(folder / f"part-{i:05d}-of-00002") for i in range(2)]
    for part, (name, value) in zip(parts, values.items()):
        write(part, {name: value}, syncs=True)
    merge_bundles(parts, str(prefix), removes_directories=True, syncs=True)


SAVES = {"one": save_one, "merged": save_merged}


def interrupt(number, action):
    """Makes the operation with this number fail, or kills the process there; returns a list, empty from then on."""
    left = [None] * number

    def count(event, arguments):
        if event in OPERATIONS and left:
            left.pop()
            if not left and action == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            elif not left:
                raise OSError(errno.EIO, "")

    sys.addaudithook(count)
    return left


def interrupted(save, prefix, number, action):
    """Outcome of a save in a separate process: UNTOUCHED if it has fewer operations; a status; or minus a signal."""
    process = os.fork()
    if not process:
        left = interrupt(number, action)
        try:
            save(prefix, NEW)
            status = UNTOUCHED if left else FINISHED
        except (OSError, OpError):
            status = REFUSED
        os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def main(folder, action, kind):
    os.fsync = lambda descriptor: sys.audit(
        "os.fsync"
    )  # Python has no event for it, and disks are slow
    number, reached = 0, True
    while reached:
        number += 1
        prefix = Path(folder) / str(number) / "model"
        prefix.parent.mkdir()
        SAVES[kind](prefix, OLD)
        status = interrupted(SAVES[kind], prefix, number, action)
        reached = status != UNTOUCHED
        print(number, status)


if __name__ == "__main__":
    main(*sys.argv[1:])
