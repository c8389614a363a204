"""The first example, files and the command line run without optional packages; ops that need one name it."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Modules that cannot be imported below: those of extras, and google-crc32c, which has a replacement.
BLOCKED = ["PIL", "cramjam", "google_crc32c", "grpc", "re2", "rich"]
PACKAGES = ["pillow", "cramjam", "grpcio", "google-re2", "rich"]

BLOCKER = f"""
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
"""

EXAMPLE = """
import runpy
sys.argv = ["digits.py"]
runpy.run_path("examples/digits.py", run_name="__main__")
"""

FILES = """
import tfmini as tf
from tfmini._src.programs.cli import main

v = tf.get_variable("v", initializer=tf.range(100_000))
folder = sys.argv[1]
with tf.Session() as session:
    session.run(v.initializer)
    tf.train.Saver().save(session, folder + "/model.ckpt")
    session.run(v.assign(0 * v))
    tf.train.Saver().restore(session, folder + "/model.ckpt")
    print(session.run(v)[-1])
with tf.python_io.TFRecordWriter(folder + "/records") as writer:
    writer.write(b"a record")
print(next(tf.python_io.tf_record_iterator(folder + "/records")))
sys.stdout.isatty = lambda: True
main(["inspect", folder + "/model.ckpt"])
"""

OPS = """
import tfmini as tf

GIF = bytes.fromhex("47494638376101000100800000000000000000"
    "2c000000000100010000080400010404003b")

def shown(make):
    try:
        print(tf.Session().run(make()))
    except (tf.errors.UnimplementedError, ImportError) as error:
        print(type(error).__name__, *str(error).splitlines()[:1])

shown(lambda: tf.strings.regex_replace("abc", "b+", "-"))
shown(lambda: tf.image.decode_gif(GIF))
shown(lambda: tf.image.encode_jpeg(tf.zeros([2, 2, 3], tf.uint8)))
shown(lambda: tf.train.Server.create_local_server())
shown(lambda: tf.keras.preprocessing.image.load_img("picture.png"))
shown(lambda: tf.keras.preprocessing.image.array_to_img([[[1.0]]]))
"""


def printed(code, *arguments):
    process = subprocess.run(
        [sys.executable, "-c", BLOCKER + code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


def test_first_example():
    last = printed(EXAMPLE)[-1]
    assert last.startswith("test accuracy: 0.9")


def test_checkpoints_records_and_reports(tmp_path):
    value, record, *report = printed(FILES, str(tmp_path))
    assert value == "99999" and record == "b'a record'"
    assert report[0].endswith("model.ckpt: checkpoint")
    assert report[-1].split() == ["v", "int32", "[100000]", "400000"]


def test_errors_name_the_extra():
    assert [line.partition(" (")[0] for line in printed(OPS)] == [
        f"UnimplementedError {consumer} need {package}: pip install 'tfmini-runtime[{extra}]'"
        for consumer, package, extra in (
            ("Regular expressions", "google-re2", "regex"),
            ("Image files", "Pillow", "images"),
            ("Image files", "Pillow", "images"),
            ("Servers and remote sessions", "grpcio", "cluster"),
        )
    ] + [
        f"ImportError Could not import PIL.Image. The use of `{function}` requires PIL."
        for function in ("load_img", "array_to_img")
    ]


def test_extras_are_not_dependencies():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert [each for each in project["dependencies"] if each.startswith(tuple(PACKAGES))] == []
