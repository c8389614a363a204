"""A forked process continues alone, regardless of the other threads' state at the fork."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")

# Another thread runs WORK repeatedly while the first forks; each child repeats earlier work, does new work, the other
# thread's work, and creates a session of its own.
PROGRAM = """
import os, signal, sys, threading, time, traceback
import numpy as np
import tfmini as tf

x = tf.placeholder(tf.float32, [None, None])
v = tf.Variable(tf.zeros([1500, 1500]))
update = tf.assign_add(v, tf.ones([1500, 1500]))
table = tf.contrib.lookup.MutableHashTable(tf.int64, tf.int64, -1)
insert = table.insert(tf.range(50_000, dtype=tf.int64), tf.range(50_000, dtype=tf.int64))
size = table.size()
total = tf.reduce_sum(x)
session = tf.Session()
session.run([v.initializer, insert])
graph = tf.get_default_graph()
fed = np.ones([20, 20], "f")


def updating():
    session.run(update)


def inserting():
    session.run(insert)


def compiling():
    y = x
    for _ in range(20):
        y = tf.tanh(y) + 1.0
    session.run(y, {x: fed})


def opening():
    with tf.Graph().as_default(), tf.Session() as own:
        own.run(tf.random_uniform([300, 300]))


def work():
    with graph.as_default():
        while True:
            WORK()


def child():
    assert session.run(total, {x: fed}) == 400.0
    assert session.run(tf.reduce_sum(x) * 3.0, {x: fed}) == 1200.0
    session.run(update)
    session.run(insert)
    assert session.run(size) == 50_000
    compiling()
    opening()


threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
for round in range(ROUNDS):
    time.sleep(0.001 * (round % 7))
    pid = os.fork()
    if pid == 0:
        signal.alarm(100)
        try:
            child()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    if status:
        sys.exit(f"child {round} ended with {status}")
print("all children have ended well")
"""


def run(program):
    # Newer Pythons warn about forks with threads.
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "Exception ignored" not in done.stderr, done.stderr
    return done.stdout


@pytest.mark.parametrize("work", ["updating", "inserting", "compiling", "opening"])
def test_fork_while_thread_is_running(work):
    program = PROGRAM.replace("WORK", work).replace("ROUNDS", "12")
    assert "all children have ended well" in run(program)


LOCKS = """
import os, signal, threading
from tfmini._src.base import locks

plain, again, whole = locks.make_lock(), locks.make_rlock(), locks.make_lock(blocks_fork=True)
own = locks.make_rlock()
held, ended = threading.Event(), threading.Event()
steps = []


def hold():
    with plain, again, whole:
        steps.append(1)
        held.set()
        ended.wait(0.2)
        steps.append(2)
    ended.wait()


threading.Thread(target=hold, daemon=True).start()
held.wait()
with own:
    pid = os.fork()
    if pid == 0:
        signal.alarm(100)
        if not os.fork():
            os._exit(0)
        free = [lock.acquire(timeout=1) for lock in (plain, again, whole)]
        os._exit(0 if all(free) and own._is_owned() else 1)
_, status = os.waitpid(pid, 0)
assert status == 0, status
assert whole.acquire(timeout=60)
print(steps)
"""


def test_child_locks_are_released():
    """A fork waits for the owners of global locks, which the parent gets back."""
    assert run(LOCKS) == "[1, 2]\n"


IMPATIENT = """
import os, signal, threading
from tfmini._src.base import locks

locks._MAX_WAIT_SECONDS = 0.1
whole = locks.make_lock(blocks_fork=True)
held, forked = threading.Event(), threading.Event()


def hold():
    with whole:
        held.set()
        forked.wait()


holder = threading.Thread(target=hold)
holder.start()
held.wait()
pid = os.fork()
if pid == 0:
    signal.alarm(100)
    os._exit(0 if whole.acquire(timeout=1) else 1)
forked.set()
_, status = os.waitpid(pid, 0)
holder.join()
assert status == 0 and not whole.locked()
print("done")
"""


def test_fork_does_not_wait_for_held_lock():
    """The owner of a global lock may wait for the forking thread."""
    assert run(IMPATIENT) == "done\n"


INTERRUPTED = """
import os, signal, threading
import numpy as np
import tfmini as tf

signal.signal(signal.SIGINT, signal.default_int_handler)
inside, forked = threading.Event(), threading.Event()
statuses = []


def wait():
    inside.set()
    forked.wait()
    return np.float32(1)


def fork():
    inside.wait()
    pid = os.fork()
    if pid == 0:
        signal.alarm(100)
        try:
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000):
                pass
        except KeyboardInterrupt:
            os._exit(0)
        os._exit(1)
    statuses.append(os.waitpid(pid, 0)[1])
    forked.set()


v = tf.Variable(0.0)
update = tf.assign_add(v, tf.py_func(wait, [], tf.float32))
with tf.Session() as session:
    session.run(v.initializer)
    thread = threading.Thread(target=fork)
    thread.start()
    session.run(update)
    thread.join()
print(statuses)
"""


def test_child_is_interruptible():
    """The main thread, which a child of another thread lacks, would delay Ctrl-C until the end of its step."""
    assert run(INTERRUPTED) == "[0]\n"


PARTS = """
import os, signal, threading
from tfmini._src.devices.host import threads

threads.configure(3)


def names(parts):
    seen, meeting = set(), threading.Barrier(parts, timeout=60)

    def part(number):
        seen.add(threading.current_thread().name)
        meeting.wait()  # a thread that takes two parts would wait in vain

    threads.run_parts(part, parts)
    return seen


assert len(names(3)) == 3
pid = os.fork()
if pid == 0:
    signal.alarm(100)
    os._exit(0 if len(names(3)) == 3 else 1)
assert os.waitpid(pid, 0)[1] == 0
print("three")
"""


def test_child_starts_its_own_workers():
    assert run(PARTS) == "three\n"
