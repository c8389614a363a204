"""Sample rows whose steps open, list, create or remove files although none of their ops declares it.

`python -m tests.cluster.files_opened` prints a line for each of them, and finally the number of rows that use
files.
"""

import importlib.util
import os
import sys
import tempfile

import tfmini as tf
from tests.conformance import test_every_op
from tests.conformance.samples import SAMPLES
from tfmini._src.cluster.allowed_ops import check_graph
from tfmini._src.devices.host.onednn.library import library as onednn
from tfmini._src.graph.opdef import raw, registry
from tfmini._src.ops import op_modules

EVENTS = ("open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rename")
EVENTS += ("sqlite3.connect", "glob.glob")
# Modules that kernels load on demand, for which Python lists folders.
LIBRARIES = (
    "numpy.ma",
    "scipy.special",
    "scipy.linalg",
    "scipy.sparse.linalg",
    "simplejpeg",
    "re2",
)


class WatchedSession(tf.Session):
    """Records the files accessed by steps in `seen`."""

    seen: list = []
    depth = 0

    def run(self, *arguments, **options):
        WatchedSession.depth += 1
        try:
            return super().run(*arguments, **options)
        finally:
            WatchedSession.depth -= 1


def note(event, arguments):
    if WatchedSession.depth and event in EVENTS:
        path = arguments[0] if arguments else None
        if isinstance(path, int | None) or not is_code(os.fsdecode(path)):
            WatchedSession.seen.append((event, path))


def is_code(place):
    """Whether a file belongs to Python, a library or the system, which load lazily."""
    place = os.path.abspath(place)
    own = (sys.prefix, sys.base_prefix, os.path.dirname(tf.__file__), "/proc", "/sys", "/dev")
    return place.startswith(own) or place.endswith((".py", ".pyc", ".so"))


def run(sample, session):
    if sample.build is not None:
        for step in sample.build(tf):
            step(session) if callable(step) else session.run(step)
    else:
        arguments, feed = test_every_op.feeds(sample, True)
        opened = getattr(raw, sample.op)(*arguments, **sample.attrs)
        session.run(test_every_op.outputs_of(opened) or opened, feed)


def declares_files(graph):
    try:
        check_graph(graph.as_graph_def())
    except tf.errors.PermissionDeniedError:
        return True
    return False


def main():
    os.environ["TFMINI_SERVER_OPS"] = "-files,-python"
    op_modules.import_all()
    onednn()  # lists the folders of installed packages once
    for library in LIBRARIES:
        if importlib.util.find_spec(library.partition(".")[0]) is not None:
            importlib.import_module(library)
    sys.addaudithook(note)
    reaching = 0
    rows = [sample for sample in SAMPLES if not registry[sample.op].device_only]
    for sample in rows:
        WatchedSession.seen = []
        with tf.Graph().as_default() as graph, WatchedSession(graph=graph) as session:
            run(sample, session)
            opened = WatchedSession.seen
        reaching += bool(opened)
        if opened and not declares_files(graph):
            print(sample, opened[:3])
    print(f"{reaching} of {len(rows)} rows reach files")


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.FATAL)
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main()
        os.chdir(home)
