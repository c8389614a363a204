"""Python 2 programs, and a recorder of their output under Python 2.7: `ci/record python2`.

TFMINI_PYTHON2 is the path of that Python, with NumPy. programs.txt has a program after each line `==== NAME`: one file,
or several that `# NAME.py` lines begin; the first is run.
"""

import os
import pathlib
import re
import subprocess
import tempfile

from tests.support import goldens

PATH = goldens.golden_path("python2.json.xz")

_, *PARTS = re.split(
    r"^==== (.*)\n",
    pathlib.Path(__file__).with_name("programs.txt").read_text(encoding="utf-8"),
    flags=re.M,
)
PROGRAMS = dict(zip(PARTS[::2], PARTS[1::2]))


def files(name):
    """A program's files, as {path: text}; the first is run."""
    text = PROGRAMS[name]
    parts = re.split(r"^# ([\w/]+\.py)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2])) if len(parts) > 1 else {"main.py": text}


def write(name, folder):
    """Writes a program into a folder; returns the path of the file to run."""
    result = files(name)
    for path, text in result.items():
        target = os.path.join(str(folder), path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    return next(iter(result))


def record():
    outputs = {}
    for name in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            command = [os.environ["TFMINI_PYTHON2"], write(name, folder)]
            process = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            assert not process.returncode, process.stderr
            outputs[name] = process.stdout
    goldens.write(PATH, outputs)


if __name__ == "__main__":
    record()
