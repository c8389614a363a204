"""The tables of `check`: every Python 2 name, finding kind and package."""

import importlib.util

import pytest

from tfmini._src.programs.check import installed
from tfmini._src.programs.check.findings import KINDS, Finding, Problem
from tfmini._src.programs.check.programs import findings

BUILTINS = {
    "basestring": "str",
    "execfile": "exec(open(file).read())",
    "long": "int",
    "raw_input": "input",
    "reduce": "functools.reduce",
    "unichr": "chr",
    "unicode": "str",
    "xrange": "range",
}
MODULES = {
    "BaseHTTPServer": "http.server",
    "ConfigParser": "configparser",
    "HTMLParser": "html.parser",
    "Queue": "queue",
    "SocketServer": "socketserver",
    "StringIO": "io",
    "Tkinter": "tkinter",
    "__builtin__": "builtins",
    "cPickle": "pickle",
    "cStringIO": "io",
    "commands": "subprocess",
    "copy_reg": "copyreg",
    "httplib": "http.client",
    "urllib2": "urllib.request",
    "urlparse": "urllib.parse",
}
MEMBERS = {
    "itertools.ifilter": "filter",
    "itertools.imap": "map",
    "itertools.izip": "zip",
    "itertools.izip_longest": "itertools.zip_longest",
    "os.getcwdu": "os.getcwd",
    "string.letters": "string.ascii_letters",
    "string.lowercase": "string.ascii_lowercase",
    "string.maketrans": "str.maketrans",
    "string.uppercase": "string.ascii_uppercase",
    "sys.maxint": "sys.maxsize",
}


def scan(tmp_path, source):
    path = tmp_path / "program.py"
    path.write_text("import tensorflow as tf\n" + source)
    problems = [(f.line, f.problem) for f in findings(str(path)) if f.problem.kind != "guessed"]
    assert all(problem.kind == "Python 2" for _, problem in problems), problems
    return [(line, problem.name, problem.advice) for line, problem in problems]


def test_every_removed_builtin(tmp_path):
    source = "".join(f"print({name})\n" for name in BUILTINS)
    assert scan(tmp_path, source) == [
        (line, name, f"{new} in Python 3") for line, (name, new) in enumerate(BUILTINS.items(), 2)
    ]


def test_every_renamed_module(tmp_path):
    source = "".join(f"import {name}\nfrom {name} import x\n" for name in MODULES)
    assert scan(tmp_path, source) == [
        (2 * line + each, name, f"{new} in Python 3")
        for line, (name, new) in enumerate(MODULES.items(), 1)
        for each in (0, 1)
    ]


def test_every_renamed_member(tmp_path):
    source = "import itertools, os, string, sys\n" + "".join(f"print({n})\n" for n in MEMBERS)
    assert scan(tmp_path, source) == [
        (line, name, f"{new} in Python 3") for line, (name, new) in enumerate(MEMBERS.items(), 3)
    ]


def test_removed_dict_methods(tmp_path):
    source = "d = {}\nd.has_key(1)\nd.iteritems()\nd.iterkeys()\nd.itervalues()\n"
    source += "d.has_key()\nd.has_key(1, 2)\nd.iteritems(1)\nd.itervalues(x=1)\n"
    news = ("key in dict", "dict.items", "dict.keys", "dict.values")
    names = ("has_key", "iteritems", "iterkeys", "itervalues")
    assert scan(tmp_path, source) == [
        (line, f"dict.{name}", f"{new} in Python 3")
        for line, (name, new) in enumerate(zip(names, news), 3)
    ]


def test_print_chevron_is_detected(tmp_path):
    advice = "print(x, file=file) in Python 3"
    source = "import sys\nprint >> sys.stderr, 'a'\nx = 1 >> 2\n"
    assert scan(tmp_path, source) == [(3, "print >>", advice)]


def test_long_statements_are_truncated(tmp_path):
    for name in ("a" * 40, "a" * 44, "a" * 45):
        ((_, shown, advice),) = scan(tmp_path, f"print {name}\n")[:1]
        expected = f"print {name}"
        assert shown == (expected if len(expected) <= 50 else expected[:47] + "...")
        assert "tfmini" in advice


def test_failing_finding_kinds():
    assert KINDS == {
        **dict.fromkeys(("missing", "unknown", "not installed", "TensorFlow 2"), True),
        **dict.fromkeys(("absl flag", "op library", "unreadable"), True),
        **dict.fromkeys(("old name", "removed name", "guessed"), False),
        "Python 2": importlib.util.find_spec("fissix") is None,
    }
    for kind, ends in KINDS.items():
        finding = Finding(Problem(kind, "n", "a"), 3)
        assert finding.fails() == ends and finding.fails(strict=True) and finding.place == "3"
    assert Finding(Problem("missing", "n", "a"), 3, 2).place == "cell 2:3"


@pytest.mark.parametrize(
    "module, advice",
    [
        ("Crypto.Hash", "pip install pycryptodome"),
        ("PIL", "pip install Pillow"),
        ("attr", "pip install attrs"),
        ("bs4", "pip install beautifulsoup4"),
        ("cv2", "pip install opencv-python"),
        ("dateutil.parser", "pip install python-dateutil"),
        ("skimage.io", "pip install scikit-image"),
        ("sklearn", "pip install scikit-learn"),
        ("tensorflow_addons", "pip install tensorflow-addons"),
        ("tensorflow_hub", "pip install tensorflow-hub==0.7.0"),
        ("tensorflow_probability", "pip install tensorflow-probability==0.8.0"),
        ("yaml", "pip install PyYAML"),
        ("other.part", "install its package, or add its directory to PYTHONPATH"),
    ],
)
def test_every_package_install_advice(module, advice, monkeypatch, tmp_path):
    monkeypatch.setattr(installed, "_is_importable", lambda root: False)
    problem = installed.import_problem(module, str(tmp_path))
    assert problem == Problem("not installed", module.partition(".")[0], advice)


@pytest.mark.parametrize(
    "root, version, is_newer",
    [
        ("tensorflow_addons", "0.1.0", True),
        ("tensorflow_hub", "0.7.0", False),
        ("tensorflow_hub", "0.8.0", True),
        ("tensorflow_hub", "1.0", True),
        ("tensorflow_probability", "0.8.0rc0", False),
        ("tensorflow_probability", "0.9.0", True),
        ("tensorflow_probability", "0.10.1", True),
        ("tensorflow_probability", "", False),
        ("numpy", "99.0", False),
    ],
)
def test_every_tensorflow2_package(root, version, is_newer, monkeypatch, tmp_path):
    monkeypatch.setattr(installed, "_is_importable", lambda root: True)
    monkeypatch.setattr(installed, "_version", lambda root: version)
    problem = installed.import_problem(root, str(tmp_path))
    if not is_newer:
        assert problem is None
        return
    assert (problem.kind, problem.name) == ("TensorFlow 2", f"{root} {version}")
    assert (
        problem.advice
        == {
            "tensorflow_addons": "its contents came from tf.contrib, which tfmini has",
            "tensorflow_hub": "tensorflow-hub 0.7.0 is of TensorFlow 1.15's time",
            "tensorflow_probability": "tensorflow-probability 0.8.0 is the last for TensorFlow 1.15",
        }[root]
    )


def test_local_modules_are_not_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(installed, "_is_importable", lambda root: False)
    installed._modules_below.cache_clear()
    project = tmp_path / "project"
    inside = project / "a" / "b"
    inside.mkdir(parents=True)
    (project / "README.md").write_text("")
    (project / "beside.py").write_text("")
    (project / "notes.ipynb").write_text("")
    (project / "other" / "deep").mkdir(parents=True)
    (project / "other" / "fast.cpython-311.so").write_text("")
    (project / "other" / "quick.pyx").write_text("")
    (project / "other" / "data.txt").write_text("")
    (project / ".hidden" / "secret").mkdir(parents=True)
    (tmp_path / "outside" / "far").mkdir(parents=True)
    for root in (
        "beside",
        "notes",
        "other",
        "deep",
        "fast",
        "quick",
        "a",
        "os",
        "keras",
        "horovod",
    ):
        assert installed.import_problem(root, str(inside)) is None, root
    for root in ("data", "secret", "far"):
        assert installed.import_problem(root, str(inside)).kind == "not installed", root
