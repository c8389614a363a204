"""`tfmini alias` in a separate environment; one program, several ways to start it, one output."""

import ast
import os
import site
import subprocess
import sys
import venv
from pathlib import Path

import jedi  # at once: `folder` hides installed packages
import pytest

import tfmini as tf
from tfmini._src.programs.alias import environment, package_files, switch
from tfmini._src.programs.cli import main

ROOT = str(Path(__file__).resolve().parents[3])

# Removed calls in a module and in the program itself; a child process by multiprocessing and one by subprocess.
WORK = """
import numpy as np
import tensorflow as tf

def child(x):
    print("child", np.array([[1], [1, 2]]).dtype, tf.Session().run(tf.mul(x, 2)), flush=True)
"""
PROGRAM = """
import multiprocessing, subprocess, sys
from importlib import metadata
import numpy as np
import tensorflow as tf
from tensorflow.python.framework import ops
import work

if __name__ == "__main__":  # not in the first child, which imports the program
    print(tf.__version__, metadata.version("tensorflow"), tf.train.Saver.__module__.split(".")[0])
    print(np.array([[1], [1, 2]]).dtype, np.int is int, [np.float32(0.5)])
    with ops.Graph().as_default() as graph:
        numbers = tf.Session().run(tf.nn.softmax([0.0, 0.0])).tolist()
        print(tf.mul(2.0, 3.0).op.type, numbers, flush=True)
    child = multiprocessing.get_context("spawn").Process(target=work.child, args=(2,))
    child.start()
    child.join()
    code = "import tensorflow.contrib.slim as slim; print(slim.conv2d.__name__)"
    subprocess.run([sys.executable, "-c", code], check=True)
"""
PRINTED = """\
1.15.5 1.15.5 tfmini
object True [0.5]
Mul [0.5, 0.5]
child object 4
convolution2d
"""

# Runs cells as IPython does; through IPython itself, if installed.
NOTEBOOK = """
import ast, importlib, os, sys

try:
    from IPython.core.interactiveshell import InteractiveShell
except ModuleNotFoundError:
    class InteractiveShell:
        ast_transformers = []

        def __init__(self, **namespaces):
            pass

        def run_cell(self, cell):
            if cell.startswith("%load_ext "):
                importlib.import_module(cell.split()[1]).load_ipython_extension(self)
                return
            tree = ast.parse(cell)
            for transformer in self.ast_transformers:
                tree = transformer.visit(tree)
            exec(compile(tree, "cell", "exec"), sys.modules["__main__"].__dict__)

sys.path.insert(0, os.getcwd())
program = open("program.py").read()
main = sys.modules["__main__"]
del main.__file__
os.environ["IPYTHONDIR"] = os.getcwd()
shell = InteractiveShell(user_module=main, user_ns=vars(main))
shell.run_cell("%load_ext tfmini")
shell.run_cell(program)
"""


class Environment:
    """A virtual environment with access to the current one's packages."""

    def __init__(self, folder):
        venv.create(folder, symlinks=True, with_pip=False)
        self.python = str(folder / "bin" / "python")
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        self.packages = folder / "lib" / version / "site-packages"
        lines = [f"import site; site.addsitedir({each!r})\n" for each in site.getsitepackages()]
        (self.packages / "parent.pth").write_text(f"{ROOT}\n" + "".join(lines))

    def run(self, *arguments, folder=None, code=0):
        variables = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "MPLBACKEND")}
        process = subprocess.run(
            [self.python, *arguments],
            cwd=folder,
            env=variables,
            capture_output=True,
            text=True,
            timeout=200,
        )
        assert process.returncode == code, process.stderr
        return process.stdout if code == 0 else process.stderr

    def alias(self, action, code=0):
        return self.run("-m", "tfmini", "alias", action, code=code)

    def names(self):
        return sorted(each.name for each in self.packages.iterdir() if each.name != "__pycache__")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return Environment(tmp_path_factory.mktemp("environment"))


@pytest.fixture
def programs(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "work.py").write_text(WORK)
    return tmp_path


def test_alias_notebook_and_runner_print_the_same(place, programs):
    assert place.run("-m", "tfmini", "run", "program.py", folder=programs) == PRINTED
    (programs / "notebook.py").write_text(NOTEBOOK)
    printed = place.run("notebook.py", folder=programs).splitlines(keepends=True)
    # With IPython installed, TensorFlow's log goes to standard output.
    assert "".join(x for x in printed if not x.startswith(("INFO:", "WARNING:"))) == PRINTED
    place.alias("on")
    try:
        assert place.run("program.py", folder=programs) == PRINTED
        assert place.run("-m", "program", folder=programs) == PRINTED
        assert place.run("-m", "tfmini", "run", "program.py", folder=programs) == PRINTED
    finally:
        place.alias("off")
    place.run("-c", "import tensorflow", code=1)


def test_alias_on_off_restores_site_packages(place):
    assert place.alias("status") == "off\n"
    assert place.alias("off") == "off: not installed\n"
    before = place.names()
    for _ in range(2):  # the second replaces the first
        assert place.alias("on").startswith(f"on: {place.packages / 'tensorflow'} is tfmini")
        assert place.names() == sorted([*before, *package_files.ENTRIES])
    assert place.alias("status") == f"on: {place.packages / 'tensorflow'}\n"
    (place.packages / "tfmini_alias.pth").unlink()  # as left by a killed process
    assert place.alias("status").startswith("incomplete: ")
    assert place.alias("off") == "off: removed tensorflow\n"
    assert place.names() == before
    left = [p.name for p in (place.packages / "__pycache__").glob("*alias*")]
    assert left == []


def test_unrelated_processes_do_not_load_tfmini(place, tmp_path):
    (tmp_path / "other.py").write_text("import sys, numpy\nprint('tfmini' in sys.modules)\n")
    place.alias("on")
    try:
        assert place.run("other.py", folder=tmp_path) == "False\n"
        code = "import numpy, sys; print('tfmini' in sys.modules, hasattr(numpy, 'int'))"
        assert place.run("-c", code) == "False False\n"
    finally:
        place.alias("off")


def test_alias_package_imports_without_pth_file(place):
    place.alias("on")
    try:
        (place.packages / "tfmini_alias.pth").unlink()
        code = "import tensorflow.nn as nn, tensorflow, sys; print(nn.relu.__module__[:6], tensorflow.nn is nn)"
        assert place.run("-c", code) == "tfmini True\n"
    finally:
        place.alias("off")


def test_alias_of_uninstalled_tfmini_is_silent(tmp_path):
    text = package_files.files()["_tfmini_alias.py"]
    location = package_files.child_processes.__file__
    path = tmp_path / "start.py"
    path.write_text(text.replace(repr(location), repr(str(tmp_path / "nowhere.py"))))
    process = subprocess.run([sys.executable, str(path)], capture_output=True, check=True)
    assert (process.stdout, process.stderr) == (b"", b"")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A temporary packages folder for this process."""
    monkeypatch.setattr(switch, "packages_directory", lambda: str(tmp_path))
    monkeypatch.setattr("tfmini._src.programs.cli.alias.packages_directory", lambda: str(tmp_path))
    monkeypatch.setattr(environment.sysconfig, "get_path", lambda name: str(tmp_path))
    monkeypatch.setattr(sys, "path", [p for p in sys.path if not p.endswith("-packages")])
    return tmp_path


def test_installed_tensorflow_is_not_replaced(folder, capsys):
    (folder / "tensorflow").mkdir()
    (folder / "tensorflow" / "__init__.py").write_text("__version__ = '2.21.0'")
    about = folder / "tensorflow_cpu-2.21.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: tensorflow_cpu\nVersion: 2.21.0\n"
    )
    names = sorted(os.listdir(folder))
    assert main(["alias", "on"]) == 1
    text = f"tensorflow_cpu 2.21.0 is installed at {folder / 'tensorflow'}; uninstall it first"
    assert text in capsys.readouterr().err
    assert main(["alias", "status"]) == 0
    assert capsys.readouterr().out == f"off, and cannot be turned on: {text}\n"
    assert main(["alias", "off"]) == 0
    assert sorted(os.listdir(folder)) == names


@pytest.mark.parametrize("failing", range(1, 9))
def test_failed_move_rolls_back(folder, monkeypatch, capsys, failing):
    """With an older tfmini's alias installed: four entries are moved away, and four put in their place."""
    small = {path: "" for path in package_files.files() if path.count("/") < 2}
    small["tensorflow-1.15.5.dist-info/INSTALLER"] = "tfmini"
    monkeypatch.setattr(switch, "files", lambda: small)
    main(["alias", "on"])
    (folder / "tensorflow" / "older").write_text("")
    rename, calls = os.rename, []

    def rename_or_fail(source, target):
        calls.append(source)
        if len(calls) == failing:
            raise PermissionError(13, "Permission denied", source)
        rename(source, target)

    monkeypatch.setattr(switch.os, "rename", rename_or_fail)
    assert main(["alias", "on"]) == 1
    assert "Permission denied" in capsys.readouterr().err
    assert sorted(os.listdir(folder)) == sorted(package_files.ENTRIES)
    assert (folder / "tensorflow" / "older").exists()


def test_externally_managed_python_is_refused(monkeypatch, tmp_path):
    (tmp_path / "EXTERNALLY-MANAGED").write_text("")
    monkeypatch.setattr(environment.sysconfig, "get_path", lambda name: str(tmp_path))
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    with pytest.raises(tf.errors.FailedPreconditionError, match="create a virtual environment"):
        environment.packages_directory()


def test_record_lists_every_file(folder):
    main(["alias", "on"])
    (about,) = folder.glob("*.dist-info")
    recorded = {line.split(",")[0] for line in (about / "RECORD").read_text().splitlines()}
    result = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert recorded == result


def test_stubs_parse_and_resolve_in_editors(folder, monkeypatch):
    main(["alias", "on"])
    for path in folder.rglob("*.pyi"):
        ast.parse(path.read_text())
    internal = folder / "tensorflow" / "python" / "framework" / "ops" / "__init__.pyi"
    assert "from tfmini.compat.python.framework.ops import *\n" in internal.read_text()
    monkeypatch.setattr(jedi.settings, "cache_directory", str(folder / "jedi"))
    project = jedi.Project(folder, sys_path=[str(folder), ROOT, *sys.path], smart_sys_path=False)
    for program, name in (
        ("import tensorflow as tf\ntf.nn.sof", "softmax"),
        ("import tensorflow.contrib.slim as slim\nslim.conv2d_t", "conv2d_transpose"),
    ):
        names = [each.name for each in jedi.Script(program, project=project).complete()]
        assert name in names, program
