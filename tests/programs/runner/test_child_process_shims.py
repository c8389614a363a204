"""Old behavior in a program's child processes: as in the program itself, and only there."""

import os
import sys

import pytest

from tests.programs.cli.test_run import SURROUNDINGS, run, start, write
from tfmini._src.programs.hook import child_processes

# NumPy 1.14's result for each of these, before and after TensorFlow is imported.
OLD = """\
import numpy as np

def old():
    values = [len(np.zeros(2).tostring()), np.int(3), float(np.array([1.0])), np.asscalar(np.array([2]))]
    return [*values, str(np.array([[1], [1, 2]]).dtype), "%d" % np.array([3]), str([np.float32(0.5)])]

if __name__ == "__main__":
    before = old()
    import tensorflow
    print([before, old()])
"""
VALUES = [16, 3, 1.0, 2, "object", "3", "[0.5]"]


@pytest.mark.parametrize(
    "command", [["old.py"], ["-m", "old"], ["folder"], ["-c", "import old; print([old.old()] * 2)"]]
)
def test_child_python_keeps_old_behavior(tmp_path, command):
    write(tmp_path, "old.py", OLD)
    write(tmp_path, "folder/__main__.py", OLD)
    source = f"import subprocess, sys\nsubprocess.run([sys.executable, '-W', 'ignore', *{command}])"
    write(tmp_path, "train.py", source)
    result = run("train.py", cwd=tmp_path)
    assert result.stdout == f"{[VALUES, VALUES]}\n", result.stderr


def test_multiprocessing_workers_keep_old_behavior(tmp_path):
    """Also workers of workers: their `__main__` is a script as in the first process."""
    source = """\
        import multiprocessing
        import numpy as np
        import old

        def work(kinds):
            found = old.old() + ["%d" % np.array([3])]
            if len(kinds) > 1:
                with multiprocessing.get_context(kinds[1]).Pool(1) as pool:
                    assert pool.apply(work, [kinds[1:]]) == found
            return found

        class Worker(multiprocessing.get_context("spawn").Process):
            def run(self):
                print(work(["spawn", "spawn"]))

        if __name__ == "__main__":
            for kind in ("spawn", "fork", "forkserver"):
                with multiprocessing.get_context(kind).Pool(1) as pool:
                    print(pool.apply(work, [[kind]]))
            worker = Worker()
            worker.start()
            worker.join()
        """
    write(tmp_path, "train.py", source)
    write(tmp_path, "old.py", OLD)
    write(
        tmp_path,
        "launch.py",
        "import subprocess, sys\nsubprocess.run([sys.executable, 'train.py'])",
    )
    for script in ("train.py", "launch.py"):
        result = run(script, cwd=tmp_path)
        assert result.stdout == f"{[*VALUES, '3']}\n" * 4, result.stderr


@pytest.mark.parametrize("name", ["below/child.py", "./below/child"])
@pytest.mark.parametrize("flags", [[], ["-P"]])
def test_child_script_environment_matches_python(tmp_path, flags, name):
    source = f"import numpy\n{SURROUNDINGS}\ndef fail(): 1 / 0\nfail()\n"
    write(tmp_path, name, source)
    command = [*flags, name, "a", "-m"]
    lines = (
        f"import subprocess, sys\nsys.exit(subprocess.run([sys.executable, *{command}]).returncode)"
    )
    write(tmp_path, "train.py", lines)
    result, expected = run("train.py", cwd=tmp_path), start(command, tmp_path)
    assert expected.stdout.startswith(f"['{name}', 'a', '-m']")
    assert (result.stdout, result.stderr) == (expected.stdout, expected.stderr)
    assert result.returncode == expected.returncode == 1


def test_child_syntax_error_matches_python(tmp_path):
    write(tmp_path, "child.py", "import numpy as np\nx = (\n")
    write(
        tmp_path, "train.py", "import subprocess, sys\nsubprocess.run([sys.executable, 'child.py'])"
    )
    assert run("train.py", cwd=tmp_path).stderr == start(["child.py"], tmp_path).stderr


PROBE = """\
import sys
import mine
print("tfmini" in sys.modules, "numpy" in sys.modules)
"""


def child(directory, command, prefix=sys.prefix, folders=(), strict="0"):
    """A completed child process with the environment that the runner sets."""
    environment = {
        "PYTHONPATH": child_processes.SITE_DIRECTORY,
        child_processes.PARENT_PREFIX_VARIABLE: prefix,
        child_processes.SHIMMED_DIRECTORIES_VARIABLE: os.pathsep.join(map(str, folders)),
        child_processes.STRICT_VARIABLE: strict,
    }
    return start(["-W", "ignore", *command], directory, environment=environment)


def test_child_without_numpy_imports_no_shims(tmp_path):
    write(tmp_path, "child.py", PROBE)
    write(
        tmp_path, "mine.py", '"""Has no use for numpy."""\nimport json, multiprocessing, random\n'
    )
    for command in (["child.py"], ["-m", "child"], ["-c", PROBE]):
        result = child(tmp_path, command, folders=[tmp_path])
        assert (result.stdout, result.stderr) == ("False False\n", "")


SEEN = """\
import numpy as np
print("tfmini" in __import__("sys").modules, hasattr(np, "int"), [np.float64(0.5)])
try: print("%d" % np.array([3]))
except TypeError: print("as today")
"""


def test_other_environments_are_left_alone(tmp_path):
    today = start(["-W", "ignore", "-c", SEEN], tmp_path).stdout
    first, conversion = today.splitlines()  # older numpy releases still create it
    assert first == "False False [np.float64(0.5)]"
    write(tmp_path, "child.py", SEEN)
    assert child(tmp_path, ["child.py"], "/another", [tmp_path]).stdout == today
    environment = {child_processes.STRICT_VARIABLE: "1"}
    strict = {
        **environment,
        "PYTHONPATH": child_processes.SITE_DIRECTORY,
        child_processes.SHIMMED_DIRECTORIES_VARIABLE: sys.prefix,
    }
    assert start(["child.py"], tmp_path, environment=strict).stdout == today
    write(tmp_path, "installed/site-packages/library.py", SEEN)
    code = "import sys; sys.path.append('installed/site-packages'); import library"
    result = child(tmp_path, ["-c", code], folders=[tmp_path]).stdout
    assert result.splitlines() == ["True True [0.5]", conversion]


@pytest.mark.parametrize("has_own, result", [(True, "their own\n"), (False, "1.15.5\n")])
def test_other_environment_keeps_its_tensorflow(tmp_path, has_own, result):
    if has_own:
        optional = "try: import tensorflow.optional\nexcept ImportError: VERSION = 'their own'\n"
        write(tmp_path, "tensorflow/__init__.py", optional)
    code = "import tensorflow; print(tensorflow.VERSION)"
    assert child(tmp_path, ["-c", code], "/another").stdout == result
    assert child(tmp_path, ["-c", code]).stdout == "1.15.5\n"
