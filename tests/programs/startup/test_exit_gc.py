"""The final garbage collection is skipped if there are no finalizers."""

import subprocess
import sys

from tfmini._src.programs.startup import exit_gc

# Whether the final collections traverse objects created after the import.
FROZEN = (
    "import atexit, gc\n"
    "atexit.register(lambda: print(not any(each is mark for each in gc.get_objects())))\n"
)
RUN = "import tfmini as tf; tf.Session().run(tf.constant(1)); del tf; mark = [[]]\n"


def printed(code):
    command = [sys.executable, "-c", FROZEN + RUN + code]
    process = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    return process.stdout.split()


def test_program_without_finalizers_skips_gc():
    code = "from tfmini._src.programs.startup import exit_gc\nprint(exit_gc.finalizes_something())"
    left, frozen = printed(code)
    assert (left == "False") == (frozen == "True")


def test_file_held_by_class_is_flushed(tmp_path):
    path = tmp_path / "text"
    code = f"class Log: file = open({str(path)!r}, 'w')\nLog.file.write('all of it')"
    assert printed(code) == ["False"]
    assert path.read_text() == "all of it"


def test_cyclic_objects_are_finalized():
    code = "class A:\n def __del__(self, say=print): say('ended')\nA.it = A()"
    assert printed(code) == ["False", "ended"]


def test_finalizer_detection():
    class Plain:
        pass

    class Ends(Plain):
        def __del__(self):
            pass

    assert not exit_gc._has_finalizer(Plain)
    assert exit_gc._has_finalizer(Ends)
    assert exit_gc._has_finalizer(type(_ for _ in ()))
    retained = Ends()
    assert exit_gc.finalizes_something()
    assert isinstance(retained, Ends)


def test_standard_streams_are_ignored(monkeypatch):
    streams = [each for each in exit_gc._standard_streams() if each is not None]
    for result in (streams, streams[::-1]):
        monkeypatch.setattr(exit_gc.gc, "get_objects", lambda result=result: result)
        assert not exit_gc.finalizes_something()
