"""`python -m tfmini run`: a program's environment and output are the same as under Python itself."""

import json
import os
import signal
import subprocess
import sys
import textwrap

import pytest


def start(command, cwd, given="", environment=None):
    """A completed process: its output, errors and exit status."""
    return subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        input=given,
        capture_output=True,
        text=True,
        timeout=180,
        env={**os.environ, **(environment or {})},
    )


def run(*arguments, cwd, given="", environment=None):
    return start(["-m", "tfmini", "run", *arguments], cwd, given, environment)


def write(folder, name, source):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(source))
    return path


# A program's view of its environment; the same lines with and without the runner.
SURROUNDINGS = """\
import os, sys
import __main__
print(sys.argv, sys.path[0], os.getcwd(), __name__, __package__)
print(__spec__ and __spec__.name, type(__loader__), globals().get("__file__"), __main__.__dict__ is globals())
print(sorted(n for n in globals() if n[:2] == "__"), sys.stdin.read())
"""

PLACES = [
    ["train.py", "--steps", "3", "-m", "x"],
    ["below/train.py", "--strict"],
    ["-c", SURROUNDINGS, "-m", "--steps"],
    ["-m", "package", "--strict"],
    ["-m", "package.train", "a", "-c", "b"],
    ["folder", "a"],
]


@pytest.mark.parametrize(
    "arguments", PLACES, ids=["script", "below", "code", "package", "module", "folder"]
)
def test_program_environment_matches_python(tmp_path, arguments):
    for name in (
        "train.py",
        "below/train.py",
        "package/__main__.py",
        "package/train.py",
        "folder/__main__.py",
    ):
        write(tmp_path, name, SURROUNDINGS)
    write(tmp_path, "package/__init__.py", "")
    expected = start(arguments, tmp_path, "text")
    found = run(*arguments, cwd=tmp_path, given="text")
    assert expected.returncode == 0, expected.stderr
    assert (found.stdout, found.stderr, found.returncode) == (expected.stdout, "", 0)


def test_program_is_read_from_stdin(tmp_path):
    source = "import sys\nprint(sys.argv, repr(sys.path[0]), __name__)\n1 / 0\n"
    expected = start(["-", "a"], tmp_path, source)
    found = run("-", "a", cwd=tmp_path, given=source)
    assert found.stdout == expected.stdout
    assert (found.stderr, found.returncode) == (expected.stderr, 1)


ENDS = {
    "error": "def f():\n    raise ValueError('seen')\nf()\n",
    "chained": "try:\n    {}[1]\nexcept KeyError as e:\n    raise ValueError('seen') from e\n",
    "syntax": "x = (\n",
    "indentation": "if True:\nx = 1\n",
    "exit": "import sys\nsys.exit()\n",
    "exit_with_number": "import sys\nsys.exit(7)\n",
    "exit_with_text": "import sys\nsys.exit('bye')\n",
    "exit_in_function": "import atexit, os\natexit.register(print, 'last')\nraise SystemExit(3)\n",
    "interrupted": "raise KeyboardInterrupt\n",
    "own_hook": "import sys\nsys.excepthook = lambda *e: print(e[0], e[2].tb_frame.f_code.co_name)\n1 / 0\n",
    "thread": "import threading\nt = threading.Thread(target=lambda: 1 / 0, name='t')\nt.start()\nt.join()\n",
    "fork": "import os\npid = os.fork()\nif pid:\n    print(os.waitpid(pid, 0)[1])\nelse:\n    raise SystemExit(2)\n",
}


@pytest.mark.parametrize("name", ENDS)
def test_program_exit_matches_python(tmp_path, name):
    write(tmp_path, "train.py", ENDS[name])
    expected = start(["train.py"], tmp_path)
    found = run("train.py", cwd=tmp_path)
    assert found.stdout == expected.stdout
    assert found.stderr == expected.stderr
    assert found.returncode == expected.returncode


def test_non_python_file_is_a_syntax_error(tmp_path):
    write(tmp_path, "binary.py", "\x7fELF\x00\x01")
    write(tmp_path, "encoded.py", "# coding: no-such-code\nx = 1\n")
    binary = run("binary.py", cwd=tmp_path)
    encoded = run("encoded.py", cwd=tmp_path)
    assert (binary.returncode, encoded.returncode) == (1, 1)
    name, _, text = binary.stderr.partition(": ")
    assert name in ("SyntaxError", "ValueError")  # before Python 3.11.4
    assert text == "source code string cannot contain null bytes\n"
    assert encoded.stderr.endswith("no-such-code\n")
    assert f'File "{tmp_path}/encoded.py"' in encoded.stderr


def test_endless_recursion_shows_program_frames(tmp_path):
    write(tmp_path, "train.py", "def f(n):\n    return f(n + 1)\nf(0)\n")
    found = run("train.py", cwd=tmp_path)
    assert found.stderr.startswith(
        f'Traceback (most recent call last):\n  File "{tmp_path}/train.py", line 3, in'
    )
    assert found.stderr.endswith("RecursionError: maximum recursion depth exceeded\n")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["nothing.py"], "can't open file '{}/nothing.py': [Errno 2] No such file or directory"),
        (
            ["nothing.ipynb"],
            "can't open file '{}/nothing.ipynb': [Errno 2] No such file or directory",
        ),
        (["empty"], "can't find '__main__' module in '{}/empty'"),
        (["-m", "nothing"], "No module named nothing"),
        (["-m", "nothing.below"], "Error while finding module specification for 'nothing.below' "),
        (["-m", "empty"], "is a package and cannot be directly executed"),
        ([], "a program is required: PROGRAM, -m MODULE or -c CODE"),
        (["--no-such-option"], "error"),
    ],
)
def test_missing_program_is_reported(tmp_path, arguments, message):
    (tmp_path / "empty").mkdir()
    found = run(*arguments, cwd=tmp_path)
    assert message.format(tmp_path) in found.stderr
    assert "Traceback" not in found.stderr
    assert (found.stdout, found.returncode) == ("", 2)


TRAINING = """\
    import sys
    import tensorflow as tf
    from tensorflow.python.framework import ops

    steps = int(sys.argv[2])
    x = tf.placeholder(tf.float32, [None], name="x")
    slope = tf.Variable(0.0, name="slope")
    loss = tf.reduce_mean(tf.square(slope * x - 3.0 * x))
    train = tf.train.GradientDescentOptimizer(0.15).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(steps):
            session.run(train, {x: [1.0, 2.0]})
        print("%.3f" % session.run(slope))
    ops.reset_default_graph()
"""


def test_tensorflow_script_trains(tmp_path):
    write(tmp_path, "train.py", TRAINING)
    found = run("train.py", "--steps", "20", cwd=tmp_path)
    assert (found.stdout, found.stderr, found.returncode) == ("3.000\n", "", 0)


@pytest.mark.parametrize("script", ["tensorflow.py", "tensorflow/__main__.py"])
def test_script_may_be_named_tensorflow(tmp_path, script):
    write(tmp_path, script, "import tensorflow as tf\nprint(tf.VERSION, __name__)\n")
    found = run(script, cwd=tmp_path)
    assert (found.stdout, found.stderr, found.returncode) == ("1.15.5 __main__\n", "", 0)


def test_child_processes_import_tfmini(tmp_path):
    source = """\
        import multiprocessing, subprocess, sys
        import tensorflow as tf

        def work(n):
            import tensorflow
            return tensorflow.VERSION, int(tensorflow.Session().run(tf.constant(n) + 1))

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.map(work, [1]))
            code = "import tensorflow; print(tensorflow.VERSION)"
            print(subprocess.check_output([sys.executable, "-c", code], text=True).strip())
            tool = [sys.executable, "-m", "tensorflow.python.tools.freeze_graph", "--help"]
            print(subprocess.check_output(tool, text=True)[:19])
        """
    write(tmp_path, "train.py", source)
    found = run("train.py", cwd=tmp_path)
    assert found.stderr == ""
    assert found.stdout == "[('1.15.5', 2)]\n1.15.5\nusage: freeze_graph\n"


def test_ctrl_c_exits_by_signal(tmp_path):
    source = """\
        import os, signal, sys, time
        import tensorflow as tf
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)
        """
    write(tmp_path, "train.py", source)
    found = run("train.py", cwd=tmp_path)
    assert found.returncode == -signal.SIGINT
    assert found.stderr.startswith(
        f'Traceback (most recent call last):\n  File "{tmp_path}/train.py", line '
    )
    assert found.stderr.endswith("KeyboardInterrupt\n")


def test_broken_pipe_error_reaches_program(tmp_path):
    found = run("-c", "raise BrokenPipeError(32, 'gone')", cwd=tmp_path)
    assert found.stderr.endswith("BrokenPipeError: [Errno 32] gone\n")
    assert found.returncode == 1


def test_pytest_runs_under_runner(tmp_path):
    write(
        tmp_path,
        "test_model.py",
        "import tensorflow as tf\n\ndef test(): assert tf.VERSION == '1.15.5'\n",
    )
    found = run("-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=tmp_path)
    assert "1 passed" in found.stdout, found.stdout + found.stderr
    assert found.returncode == 0


def test_node_errors_hide_runner_frames(tmp_path):
    source = """\
        import tensorflow as tf
        x = tf.placeholder(tf.float32, name="x")
        y = tf.check_numerics(x, "seen")
        tf.Session().run(y, {x: float("nan")})
        """
    write(tmp_path, "train.py", source)
    found = run("train.py", cwd=tmp_path)
    assert f"(defined at {tmp_path}/train.py:3)" in found.stderr
    for place in (
        "tfmini/_src/programs/runner/",
        "tfmini/_src/programs/cli/",
        "tfmini/__main__",
        "runpy",
    ):
        assert place not in found.stderr


def test_preloaded_tensorflow_is_refused(tmp_path):
    write(tmp_path, "tensorflow.py", "")
    write(tmp_path, "sitecustomize.py", "import tensorflow\n")
    found = run("-c", "print('ran')", cwd=tmp_path, environment={"PYTHONPATH": str(tmp_path)})
    assert (found.stdout, found.returncode) == ("", 2)
    assert found.stderr.startswith("python -m tfmini run: 'tensorflow' is already imported")


@pytest.mark.parametrize("arguments, strict", [([], "0"), (["--strict"], "1")])
def test_strict_mode_reaches_child_processes(tmp_path, arguments, strict):
    code = "import tensorflow; from tfmini._src.programs.hook.extra_names import is_strict; print(int(is_strict()))"
    source = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {code!r}])\n"
    write(tmp_path, "train.py", source)
    assert run(*arguments, "train.py", cwd=tmp_path).stdout == strict + "\n"


def test_trace_and_profile_files(tmp_path):
    write(
        tmp_path,
        "train.py",
        """\
        import tensorflow as tf
        x = tf.placeholder(tf.float32, [2, 2])
        y = tf.matmul(x, x)
        with tf.Session() as session:
            print(session.run(y, {x: [[1, 2], [3, 4]]}))
        raise SystemExit(3)
        """,
    )
    done = run("--trace", "trace.json", "--profile", "train.py", "--steps", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "[[ 7. 10.]\n [15. 22.]]\n")
    first, _, title, total, *_, row = done.stderr.splitlines()
    assert first == "tfmini: trace.json has 4 events of 1 steps"
    assert title == "tfmini: profile" and total.startswith("1 step, 1 of them compiled (")
    assert row.endswith("MatMul  train.py:3  MatMul")
    (event,) = [
        e
        for e in json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
        if e["name"] == "MatMul"
    ]
    assert event["args"]["line"] == f"{tmp_path / 'train.py'}:3"
    done = run("--trace", "none/trace.json", "train.py", cwd=tmp_path)
    assert done.returncode == 2
    assert (
        done.stderr == "python -m tfmini run: --trace none/trace.json: No such file or directory\n"
    )


def test_numpy_scalars_use_legacy_repr(tmp_path):
    program = "import numpy as np; print([np.float32(0.5)], {'a': np.int64(3)}, (np.bool_(True),))"
    assert run("-c", program, cwd=tmp_path).stdout == "[0.5] {'a': 3} (True,)\n"
    strict = run("--strict", "-c", program, cwd=tmp_path)
    assert strict.stdout.startswith("[np.float32(0.5)]")
