"""Programs on systems without fcntl, /proc, fork and Unix sockets, such as Windows, macOS or a sandbox."""

import subprocess
import sys
import textwrap

import pytest

# System-dependent modules are imported first.
WITHOUT = """
    import asyncio, builtins, io, os, platform, select, signal, socket, subprocess, sys, tempfile
    import google.protobuf, numpy, scipy.special, threadpoolctl

    def without_proc(function):
        def found(path, *arguments, **options):
            if str(path).startswith("/proc/"):
                raise FileNotFoundError(2, "No such file or directory", path)
            return function(path, *arguments, **options)
        return found

    for name in "fcntl grp pwd resource termios".split():
        sys.modules[name] = None
    for name in ("fork register_at_fork getuid sched_getaffinity pread preadv memfd_create uname statvfs "
                 "posix_spawn killpg setsid getpgid fchmod chown").split():
        delattr(os, name)
    for name in "SIGKILL SIGALRM SIGUSR1 SIGHUP SIGCHLD SIGQUIT alarm setitimer pthread_sigmask".split():
        delattr(signal, name)
    del socket.AF_UNIX, socket.SO_REUSEPORT, select.epoll, select.poll
    builtins.open = io.open = without_proc(open)
    for name in "open stat listdir scandir readlink".split():
        setattr(os, name, without_proc(getattr(os, name)))

    import numpy as np
    import tfmini as tf
    tf.logging.set_verbosity(tf.logging.ERROR)
"""
PROGRAMS = {
    "pipeline and saver": """
        with tf.python_io.TFRecordWriter("records") as writer:
            for value in range(5):
                writer.write(bytes([value]))
        records = tf.data.TFRecordDataset("records").map(lambda each: tf.decode_raw(each, tf.uint8), 2)
        element = records.batch(5).prefetch(1).make_one_shot_iterator().get_next()
        total = tf.get_variable("total", [300, 300], initializer=tf.zeros_initializer())
        add = total.assign_add(tf.fill([300, 300], tf.cast(tf.reduce_sum(element), tf.float32)))
        saver = tf.train.Saver()
        with tf.Session() as session:
            session.run(total.initializer)
            session.run(add)
            saved = saver.save(session, "model/total")
        with tf.Session() as session:
            saver.restore(session, saved)
            print(session.run(tf.reduce_mean(total @ tf.eye(300))))
        tf.gfile.Copy("records", "copied")
        print(tf.gfile.Stat("copied").length)
    """,
    "server": """
        server = tf.train.Server.create_local_server()
        with tf.Session(server.target) as session:
            print(session.run(tf.constant(3.0) * 2))
    """,
    "estimator": """
        def model(features, labels, mode):
            loss = tf.reduce_mean(tf.square(tf.layers.dense(features, 1)))
            step = tf.train.get_global_step()
            train = tf.train.AdamOptimizer(0.1).minimize(loss, step)
            return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

        def inputs():
            return tf.data.Dataset.from_tensors((np.ones((4, 2), np.float32), [0])).repeat()

        estimator = tf.estimator.Estimator(model, "estimator")
        estimator.train(inputs, steps=30)
        scores = estimator.evaluate(inputs, steps=1)
        print(scores["global_step"], scores["loss"] < 1)
    """,
}
# A record is a byte, framed by 16 others.
OUTPUTS = {
    "pipeline and saver": f"10.0\n{5 * (16 + 1)}\n",
    "server": "6.0\n",
    "estimator": "30 True\n",
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_run_without_posix_features(program, tmp_path):
    code = textwrap.dedent(WITHOUT) + textwrap.dedent(PROGRAMS[program])
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert process.stdout == OUTPUTS[program], process.stderr
    assert process.returncode == 0
