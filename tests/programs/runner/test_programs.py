"""Every program kind before it runs: its code, its entry in `sys`, the names of `__main__`."""

import importlib.machinery
import io
import os
import py_compile
import sys
import traceback
import types
import zipfile

import pytest

from tfmini._src.programs.hook.child_processes import SHIMMED_DIRECTORIES_VARIABLE
from tfmini._src.programs.runner import programs
from tfmini._src.programs.runner.call_shims import supply

OLD = "import numpy as np\nx = {} + len(np.array([[1], [1, 2]]))\n"  # today's numpy rejects such a list


def ran(program):
    """The global names of a program after its run."""
    names = {}
    for code in program.load():
        exec(code, names)
    return {name: value for name, value in names.items() if name not in ("__builtins__", "np")}


@pytest.fixture
def path(monkeypatch):
    """The search path; tests may change its first entry."""
    monkeypatch.setattr(sys, "path", ["first", *sys.path])
    monkeypatch.setattr(sys, "argv", ["tfmini"])
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr(programs.stack_traces, "hide_launcher_frames", lambda code: None)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setenv(SHIMMED_DIRECTORIES_VARIABLE, "")
    return sys.path


def test_script(tmp_path, monkeypatch):
    """`sys.path[0]` is the folder of a symlink's target, `__file__` the link's own path."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "train.py").write_text("x = 1\n")
    (tmp_path / "link.py").symlink_to(tmp_path / "real" / "train.py")
    monkeypatch.chdir(tmp_path)
    program = programs.script("link.py")
    full = str(tmp_path / "link.py")
    assert (program.argv0, program.path0) == ("link.py", str(tmp_path / "real"))
    loader = program.attributes.pop("__loader__")
    assert type(loader) is importlib.machinery.SourceFileLoader
    assert (loader.name, loader.path) == ("__main__", full)
    assert program.attributes == {"__file__": full, "__cached__": None, "__spec__": None}
    (tmp_path / "real" / "train.py").write_text("x = 2\n")  # it has been read
    (code,) = program.load()
    assert code.co_filename == full and ran(program) == {"x": 1}
    assert program.prepare({}) is None


def test_bytecode_and_unsuffixed_file(tmp_path):
    source = tmp_path / "train"
    source.write_text("x = 3\n")
    assert ran(programs.script(str(source))) == {"x": 3}
    compiled = py_compile.compile(str(source), str(tmp_path / "other.pyc"))
    assert ran(programs.script(compiled)) == {"x": 3}


@pytest.mark.parametrize("kind", ["folder", "archive"])
def test_directory_or_archive_with_main(tmp_path, kind):
    supply()
    location = tmp_path / kind
    if kind == "folder":
        location.mkdir()
        with pytest.raises(
            programs.NoProgramError, match="^can't find '__main__' module in '.*folder'"
        ):
            programs.script(str(location))
        (location / "__main__.py").write_text(OLD.format(2))
        importlib.invalidate_caches()
        sys.path_importer_cache.pop(str(location), None)
    else:
        with zipfile.ZipFile(location, "w") as archive:
            archive.writestr("__main__.py", OLD.format(2))
    program = programs.script(str(location))
    assert (program.argv0, program.path0) == (str(location), str(location))
    attributes = program.attributes
    spec = attributes["__spec__"]
    assert (spec.name, spec.origin) == ("__main__", str(location / "__main__.py"))
    assert attributes == {
        "__file__": spec.origin,
        "__loader__": spec.loader,
        "__package__": "",
        "__cached__": None,
        "__spec__": spec,
    }
    assert ran(program) == {"x": 4}


def test_missing_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(programs.NoProgramError) as caught:
        programs.script("none.py")
    full = str(tmp_path / "none.py")
    assert str(caught.value) == f"can't open file {full!r}: [Errno 2] No such file or directory"
    assert caught.value.__suppress_context__


def test_command_text_and_stdin(monkeypatch):
    program = programs.text("x = 5")
    assert (program.argv0, program.path0) == ("-c", "")
    assert program.attributes == {
        "__loader__": importlib.machinery.BuiltinImporter,
        "__spec__": None,
    }
    assert program.load()[0].co_filename == "<string>" and ran(program) == {"x": 5}
    monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(buffer=io.BytesIO(b"x = 6")))
    program = programs.script("-")
    assert (program.argv0, program.path0) == ("-", "")
    assert program.load()[0].co_filename == "<stdin>" and ran(program) == {"x": 6}


def test_syntax_error_is_raised_on_load(path):
    program = programs.text("x = = 5")
    with pytest.raises(SyntaxError, match="invalid syntax"):
        program.load()


def test_module_and_package(tmp_path, monkeypatch, path):
    """They are searched in the current folder first; old calls work in them and in their parent packages."""
    for name, source in (
        ("packed/__init__.py", OLD.format(0)),
        ("packed/__main__.py", OLD.format(5)),
        ("packed/part.py", OLD.format(6)),
        ("packed/bare/__init__.py", ""),
        ("packed/wrong/__init__.py", "import no_such_library\n"),
        ("packed/wrong/part.py", ""),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source)
    monkeypatch.chdir(tmp_path)
    for asked, result, value in (
        ("packed", "packed.__main__", 7),
        ("packed.__main__", "packed.__main__", 7),
        ("packed.part", "packed.part", 8),
    ):
        path[0] = "first"
        program = programs.module(asked)
        file = str(tmp_path.joinpath(*result.split("."))) + ".py"
        spec = program.attributes["__spec__"]
        assert (spec.name, program.argv0, program.path0) == (result, file, str(tmp_path))
        assert program.attributes == {
            "__file__": file,
            "__loader__": spec.loader,
            "__package__": "packed",
            "__cached__": spec.cached,
            "__spec__": spec,
        }
        assert ran(program) == {"x": value} and path[0] == str(tmp_path)
        assert sys.modules["packed"].x == 2 and os.environ[
            SHIMMED_DIRECTORIES_VARIABLE
        ] == os.path.realpath(tmp_path)
    for asked, text in (
        ("packed.none", "No module named packed.none"),
        ("no_such_one", "No module named no_such_one"),
        (
            "packed.part.none",
            "Error while finding module specification for 'packed.part.none' (__path__ attribute not found on "
            "'packed.part' while trying to find 'packed.part.none')",
        ),
        (
            "no_such_one.part",
            "Error while finding module specification for 'no_such_one.part' (No module named 'no_such_one')",
        ),
        (
            "packed.bare",
            "No module named packed.bare.__main__; 'packed.bare' is a package and cannot be directly executed",
        ),
        ("sys", "No code object available for sys"),
    ):
        with pytest.raises(programs.NoProgramError) as caught:
            programs.module(asked)
        assert str(caught.value) == text
    with pytest.raises(ModuleNotFoundError, match="No module named 'no_such_library'"):
        programs.module("packed.wrong.part")
    for name in [each for each in sys.modules if each.partition(".")[0] == "packed"]:
        del sys.modules[name]


def test_program_runs_as_main_with_arguments(path):
    told = {}
    program = programs.Program(
        lambda: [
            compile(text, "cell", "exec")
            for text in ("import sys; a, first = sys.argv, sys.path[0]", "b = __name__, c")
        ],
        "name",
        "folder",
        {"__file__": "f", "__package__": "p"},
        lambda names: told.update(names, names=names) or names.update(c=3),
    )
    programs.run(program, ["x", "-y"])
    main = sys.modules["__main__"]
    assert type(main) is types.ModuleType and vars(main) is told["names"]
    assert (main.a, main.first, main.b) == (["name", "x", "-y"], "folder", ("__main__", 3))
    assert (main.__file__, main.__package__, main.__doc__) == ("f", "p", None)
    assert told["__builtins__"] is sys.modules["builtins"]
    assert "a" not in told and ("__annotations__" in told) == (sys.version_info < (3, 14))
    path[0] = "kept"
    programs.run(programs.Program(lambda: [], "-", None), [])
    assert path[0] == "kept" and sys.argv == ["-"]
    assert sys.modules["__main__"].__package__ is None


def test_safe_path_is_preserved(path, monkeypatch):
    monkeypatch.setattr(programs.sys, "flags", types.SimpleNamespace(safe_path=True))
    programs._set_first("other")
    assert path[0] == "first"
    monkeypatch.setattr(programs.sys, "flags", types.SimpleNamespace(safe_path=False))
    programs._set_first("")
    assert path[0] == ""
    programs._set_first(None)
    assert path[0] == "" and os.path.isabs(programs.os.getcwd())


def test_program_files_shadow_standard_library(path, monkeypatch, tmp_path):
    """Even modules that tfmini has imported, but not those that TensorFlow's environment loads before any script."""
    for name in ("statistics", "os", "types"):
        (tmp_path / f"{name}.py").write_text("mean = 'the program'\n")
        monkeypatch.setitem(sys.modules, name, importlib.import_module(name))
    names = {}
    code = compile(
        "import os, statistics, types; x = statistics.mean, os.sep, types.CodeType",
        "train.py",
        "exec",
    )
    program = programs.Program(lambda: [code], "train.py", str(tmp_path), {}, names.update)
    programs.run(program, [])
    assert sys.modules["__main__"].x == ("the program", os.sep, types.CodeType)


def test_uncaught_error_shows_program_frames(path, monkeypatch):
    """From the first frame with the program's code on; a program that fails to load has none."""
    messages = []
    monkeypatch.setattr(sys, "excepthook", lambda *args: messages.append(args))
    program = programs.text("def f():\n    1 / 0\n\nf()\n", filename="train.py")
    with pytest.raises(ZeroDivisionError, match="division by zero") as caught:
        programs.run(program, [])
    sys.excepthook(caught.type, caught.value, caught.tb)
    kind, value, retained = messages.pop()
    assert kind is ZeroDivisionError and value is caught.value
    frames = [(each.filename, each.name, each.lineno) for each in traceback.extract_tb(retained)]
    assert frames == [("train.py", "<module>", 4), ("train.py", "f", 2)]
    monkeypatch.setattr(sys, "excepthook", lambda *args: messages.append(args))
    with pytest.raises(SyntaxError, match="invalid syntax") as invalid:
        programs.run(programs.text("x = = 1"), [])
    sys.excepthook(invalid.type, invalid.value, invalid.tb)
    assert messages.pop()[2] is None


def test_node_tracebacks_hide_runner_frames(path, monkeypatch):
    hidden, mended = [], []
    monkeypatch.setattr(programs.stack_traces, "hide_launcher_frames", hidden.append)
    monkeypatch.setattr(programs, "rewrite_modules", mended.append)
    programs.run(programs.Program(lambda: [], "a", "folder"), [])
    assert hidden == [programs.execute.__code__] and mended == [["folder", os.getcwd()]]
    assert os.environ[SHIMMED_DIRECTORIES_VARIABLE] == os.pathsep.join(
        [os.path.realpath("folder"), os.getcwd()]
    )
    for name, directories in (("/elsewhere", ["/elsewhere"]), ("", [os.getcwd()]), (None, [])):
        programs.run(programs.Program(lambda: [], "a", name), [])
        assert mended.pop() == directories
    monkeypatch.chdir("/")
    programs.run(programs.Program(lambda: [], "a", "folder"), [])
    assert mended.pop() == ["folder"]
