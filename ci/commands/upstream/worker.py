"""Runs files of TensorFlow's own tests in this Python, each in a separate process; prints a line of JSON per test.

    python -m tfmini run ci/commands/upstream/worker.py --sources DIR --output FILE [--limit SECONDS] [--eager] < names
    reference/bin/python ci/commands/upstream/worker.py ...      the same on TensorFlow 1.15.5 itself, Python 3.7

Names are paths below DIR/tensorflow/python, one per line, those of contrib below DIR/tensorflow. `import tensorflow`
imports this Python's module of that name. An output line has "file", "test" ("Class.method", or "" for an error that
ends a whole file), "outcome" (passed, skipped, failed, error) and "message".
"""

import argparse
import ast
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types
import unittest

import tensorflow.python.framework.test_util
import tensorflow.python.platform.test  # noqa: F401

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import shim  # noqa: E402  # next to this file

RANK = ("passed", "skipped", "failed", "error")


class Recorder(unittest.TestResult):
    """Writes a line as soon as a test ends, so that a crash loses only the current test."""

    def __init__(self, name, output):
        super().__init__()
        self._name = name
        self._output = output
        self._outcome, self._message = "passed", ""

    def write(self, test_name, outcome, message=""):
        line = {"file": self._name, "test": test_name, "outcome": outcome, "message": message}
        with open(self._output, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def startTest(self, test):
        super().startTest(test)
        self._outcome, self._message = "passed", ""

    def stopTest(self, test):
        super().stopTest(test)
        self.write(full_name(test), self._outcome, self._message)

    def _record_outcome(self, outcome, message):
        if RANK.index(outcome) > RANK.index(self._outcome):
            self._outcome, self._message = outcome, message

    def addError(self, test, err):
        if isinstance(test, unittest.TestCase):
            self._record_outcome("error", error_text(err))
        else:  # setUpClass, setUpModule
            self.write(str(test), "error", error_text(err))
        self._show(test, err)

    def addFailure(self, test, err):
        self._record_outcome("failed", error_text(err))
        self._show(test, err)

    def addSkip(self, test, reason):
        self._record_outcome("skipped", reason)

    def addUnexpectedSuccess(self, test):
        self._record_outcome("failed", "unexpected success")

    def addSubTest(self, test, subtest, err):
        if err is not None:
            failed = issubclass(err[0], test.failureException)
            self._record_outcome("failed" if failed else "error", error_text(err))
            self._show(test, err)

    def _show(self, test, err):
        print("=" * 100, self._name, full_name(test), sep="\n", file=sys.stderr)
        traceback.print_exception(*err)


def full_name(test):
    """Class and method of a test."""
    return "%s.%s" % (type(test).__name__, getattr(test, "_testMethodName", test))


def error_text(err):
    """The class of an exception and the first lines of its message."""
    lines = "".join(traceback.format_exception_only(err[0], err[1])).strip().splitlines()
    return " ".join(line.strip() for line in lines[:3] if line.strip())[:300]


def compile_test(source, path):
    """The code of a test file, compiled by tfmini's runner if that runs it."""
    if shim.IS_TFMINI:
        from tfmini._src.programs.runner.call_shims import compile_source as as_programs_are

        return as_programs_are(source, path)
    return compile(source, path, "exec", dont_inherit=True)


def source_path(sources, name):
    """The path of a test file."""
    subdirectory = "" if name.startswith("contrib/") else "python"
    return os.path.join(sources, "tensorflow", subdirectory, name)


def run_file(sources, name, output, eager):
    """Runs one file as the program `__main__`, with its tests on request."""
    path = source_path(sources, name)
    recorder = Recorder(name, output)
    has_run = []
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    sys.argv[:] = [path]

    with open(path, encoding="utf-8") as file:
        source = file.read()

    def main(*args, **kwargs):
        if not has_run:
            has_run.append(True)
            tests = unittest.defaultTestLoader.loadTestsFromModule(module)
            private = private_tests(tests, source)
            if private:
                recorder.write("", "private", " ".join(sorted(private)))
            tests.run(recorder)

    shim.install(sources, main, eager)
    try:
        exec(compile_test(source, path), module.__dict__)
        main()
    except SystemExit:
        main()
    except BaseException:
        recorder.write("", "error", error_text(sys.exc_info()))
        traceback.print_exc()


def private_tests(tests, source):
    """The tests ("Class.method") whose source asks an object other than `self` for a private attribute.

    A generated test, with a suffix, has the source of the method with the longest name that its own begins with.
    """
    private = private_methods(source)
    names = set()
    for name in suite_names(tests):
        methods, method = private.get(name.partition(".")[0], {}), name.partition(".")[2]
        sources = [method_name for method_name in methods if method.startswith(method_name)]
        if sources and methods[max(sources, key=len)]:
            names.add(name)
    return names


def suite_names(tests):
    """Names of the tests in a suite and its nested suites."""
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from suite_names(test)
        else:
            yield full_name(test)


def private_methods(source):
    """By class and method, whether its source accesses a private attribute of an object other than `self`."""
    return {
        cls.name: {
            function.name: any(map(is_private, ast.walk(function)))
            for function in cls.body
            if isinstance(function, ast.FunctionDef)
        }
        for cls in ast.parse(source).body
        if isinstance(cls, ast.ClassDef)
    }


def is_private(node):
    """Whether a node is `x._name` of an x that is neither `self` nor `cls`."""
    if not isinstance(node, ast.Attribute) or not node.attr.startswith("_"):
        return False
    if node.attr.startswith("__") or node.attr in ("_asdict", "_replace", "_fields", "_make"):
        return False
    return not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))


def in_child(sources, name, output, limit, eager):
    """Runs a file in a forked process with a time limit; returns its exit status, or "timeout"."""
    directory = tempfile.mkdtemp(prefix="upstream_")
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setpgid(0, 0)
            os.mkdir(os.path.join(directory, "tensorflow"))
            for data in ("core", "contrib"):  # read by paths below the working folder
                link = os.path.join(directory, "tensorflow", data)
                os.symlink(os.path.join(sources, "tensorflow", data), link)
            os.chdir(directory)
            os.environ["TEST_TMPDIR"] = tempfile.tempdir = directory
            run_file(sources, name, output, eager)
            status = 0
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    ended, status = wait(child, limit)
    for process in (-child, child):
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            pass
    if not ended:
        os.waitpid(child, 0)
    shutil.rmtree(directory, ignore_errors=True)
    return status if ended else "timeout"


def wait(child, limit):
    """Whether a process ended within the limit, and its status."""
    until = time.monotonic() + limit
    while time.monotonic() < until:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return True, status
        time.sleep(0.02)
    return False, None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--eager", action="store_true", help="also run the eager halves of tests")
    arguments = parser.parse_args()
    sources = os.path.abspath(arguments.sources)
    output = os.path.abspath(arguments.output)
    directory = tempfile.mkdtemp(prefix="upstream_srcdir_")
    os.makedirs(os.path.join(directory, "org_tensorflow"))
    os.symlink(
        os.path.join(sources, "tensorflow"), os.path.join(directory, "org_tensorflow", "tensorflow")
    )
    os.environ["TEST_SRCDIR"] = directory
    for name in sys.stdin.read().split():
        start = time.monotonic()
        status = in_child(sources, name, output, arguments.limit, arguments.eager)
        if status:
            Recorder(name, output).write("", "error", "the process ended with %s" % status)
        print("%s\t%s\t%.1f" % (name, status, time.monotonic() - start), flush=True)
    shutil.rmtree(directory)


main()
