"""The hook in separate processes: its order, its errors, its children."""

import os
import subprocess
import sys

import pytest

from tfmini._src.programs.hook import child_processes


def python(source, *options, cwd=None, environment=None):
    """The stdout and stderr of a new Python process."""
    process = subprocess.run(
        [sys.executable, *options, "-c", source],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        timeout=120,
    )
    return process.stdout, process.stderr


def test_hook_as_first_import(tmp_path):
    out, err = python(
        "import tfmini.as_tensorflow\n"
        "import tensorflow as tf, tfmini, importlib.metadata\n"
        "print(tf.Session is tfmini.Session, importlib.metadata.version('tensorflow'))\n"
        "import tfmini.as_tensorflow\n"
    )
    assert (out, err) == ("True 1.15.5\n", "")


def test_loaded_tensorflow_is_left_alone(tmp_path):
    (tmp_path / "tensorflow.py").write_text("Session = 'another'\n")
    out, err = python(
        "import tensorflow\n"
        "try:\n    import tfmini.as_tensorflow\n"
        "except ImportError as error: print(error)\n"
        "print(tensorflow.Session)\n",
        cwd=tmp_path,
    )
    assert out.startswith(f"'tensorflow' is already imported ({tmp_path}")
    assert "before any module that imports tensorflow" in out
    assert out.endswith("\nanother\n")
    assert err == ""


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_hook_precedes_local_tensorflow_module(tmp_path, kind):
    if kind == "file":
        (tmp_path / "tensorflow.py").write_text("raise SystemExit('the wrong one')\n")
    else:
        (tmp_path / "tensorflow").mkdir()
        (tmp_path / "tensorflow" / "__init__.py").write_text("raise SystemExit('the wrong one')\n")
    out, err = python(
        "import tfmini.as_tensorflow, tensorflow; print(tensorflow.compat.v2.__version__)",
        cwd=tmp_path,
    )
    assert (out, err) == ("1.15.5\n", "")


def test_tfmini_alone_does_not_load_hook():
    out, err = python(
        "import sys, tfmini\n"
        "packages = ('tfmini._src.programs.hook', 'tfmini._src.programs.runner', 'tensorflow')\n"
        "print([m for m in sys.modules if m.startswith(packages)])"
    )
    assert (out, err) == ("[]\n", "")


CHILD = {"PYTHONPATH": child_processes.SITE_DIRECTORY}


def test_child_loads_tfmini_on_first_import():
    out, err = python(
        "import sys\n"
        "print('tfmini' in sys.modules, 'importlib.metadata' in sys.modules)\n"
        "import tensorflow\n"
        "print('tfmini' in sys.modules, tensorflow.__version__)\n"
        "import importlib.metadata as m; print(m.version('tensorflow'))",
        environment=CHILD,
    )
    assert (out, err) == ("False False\nTrue 1.15.5\n1.15.5\n", "")


def test_child_reads_version_without_tfmini():
    out, err = python(
        "import sys, importlib.metadata as m\n"
        "print(m.version('tensorflow'), 'tfmini' in sys.modules)\n"
        "print([d.version for d in m.distributions() if d.metadata['Name'] == 'tensorflow'])",
        environment=CHILD,
    )
    assert (out, err) == ("1.15.5 False\n['1.15.5']\n", "")


def test_user_sitecustomize_runs_and_path_is_restored(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import builtins; builtins.mine = __file__\n")
    paths = os.pathsep.join([child_processes.SITE_DIRECTORY, str(tmp_path)])
    out, err = python(
        "import sys, sitecustomize; print(mine == sitecustomize.__file__, mine)\n"
        f"print({child_processes.SITE_DIRECTORY!r} in sys.path)",
        environment={"PYTHONPATH": paths},
    )
    assert (out, err) == (f"True {tmp_path}/sitecustomize.py\nFalse\n", "")


def test_user_sitecustomize_error_is_shown(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import no_such_module\n")
    paths = os.pathsep.join([child_processes.SITE_DIRECTORY, str(tmp_path)])
    out, err = python(
        "import tensorflow as tf; print(tf.VERSION)", environment={"PYTHONPATH": paths}
    )
    assert out == "1.15.5\n"
    assert err.startswith("Error in sitecustomize; set PYTHONVERBOSE for traceback:\n")
    assert "no_such_module" in err


def test_child_finds_tfmini_of_its_parent():
    out, err = python(
        "import os, sys\n"
        "sys.path[:] = [p for p in sys.path if not os.path.isdir(os.path.join(p, 'tfmini'))]\n"
        "sys.meta_path[:] = [f for f in sys.meta_path if 'editable' not in repr(f).lower()]\n"
        "import tensorflow; print(tensorflow.VERSION)",
        environment=CHILD,
        cwd=os.path.dirname(child_processes.SITE_DIRECTORY),
    )
    assert (out, err) == ("1.15.5\n", "")
