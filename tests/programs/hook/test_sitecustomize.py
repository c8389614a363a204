"""A `sitecustomize` installs tfmini in child processes, and runs the program's own one."""

import os
import subprocess
import sys
from pathlib import Path

from tfmini._src.programs.hook import site

FOLDER = next(iter(site.__path__))
ROOT = str(Path(__file__).parents[3])


def printed(code, *folders):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([FOLDER, *map(str, folders), ROOT])}
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=100
    )


def test_child_process_imports_tfmini_as_tensorflow():
    code = "import sys, tensorflow; print(tensorflow.__name__, tensorflow.Session.__module__)\n"
    process = printed(code + f"print({FOLDER!r} in sys.path, 'sitecustomize' in sys.modules)")
    assert process.stdout.split()[1].startswith("tfmini") and process.stdout.split()[2:] == [
        "False",
        "True",
    ]
    assert process.stderr == ""


def test_user_sitecustomize_runs(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("print('own')")
    assert printed("import sitecustomize", tmp_path).stdout == "own\n"
    (tmp_path / "sitecustomize.py").write_text("import missing_module")
    assert "No module named 'missing_module'" in printed("", tmp_path).stderr
