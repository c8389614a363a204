"""Tracking of `tf`. Missing below: `tf.quantization` is left out, `tf.nope` exists in no version."""

import textwrap

import pytest

from tfmini._src.programs.check.programs import findings

MISSING = "tf.quantization.quantized_concat"


def scan(tmp_path, source, name="train.py"):
    path = tmp_path / name
    path.write_text(textwrap.dedent(source))
    return [(f.line, f.problem.kind, f.problem.name) for f in findings(str(path))]


# Programs with one missing name, and its line.
ALIASES = [
    ("import tensorflow as tf\ntf.quantization.quantized_concat([[1]])", 2),
    ("import tensorflow\ntensorflow.quantization.quantized_concat([[1]])", 2),
    ("import tensorflow.compat.v1 as tf\ntf.quantization.quantized_concat([[1]])", 2),
    ("from tensorflow.compat import v1 as tf\ntf.quantization.quantized_concat([[1]])", 2),
    ("import tensorflow.quantization as r\nx = 1\nr.quantized_concat([[1]])", 3),
    ("import tensorflow as tf\nr = tf.quantization\nr.quantized_concat([[1]])", 3),
    ("import tensorflow as tf\na, r = 1, tf.quantization\nr.quantized_concat([[1]])", 3),
    ("from tensorflow import quantization\nquantization.quantized_concat([[1]])", 2),
    ("from tensorflow.quantization import quantized_concat as c\nx = 1\nc([[1]])", 3),
    ("from tensorflow.quantization import *\nx = 1\nquantized_concat([[1]])", 3),
    ("import tensorflow as tf\ndef f():\n    return tf.quantization.quantized_concat([[1]])", 3),
    (
        "def f():\n    import tensorflow as tf\n    return tf.quantization.quantized_concat([[1]])",
        3,
    ),
    ("def f():\n    return tf.quantization.quantized_concat([[1]])\nimport tensorflow as tf", 2),
    ("import tensorflow as tf\nclass A(object):\n  b = tf.quantization.quantized_concat([[1]])", 3),
    (
        "import tensorflow as tf\nclass A(object):\n  def b(self, x=tf.quantization.quantized_concat): pass",
        3,
    ),
    ("import tensorflow as tf\nf = lambda x: tf.quantization.quantized_concat(x)", 2),
    ("import tensorflow as tf\ny = [tf.quantization.quantized_concat(i) for i in x]", 2),
    ("import tensorflow as tf\n(tf\n .quantization\n .quantized_concat([[1]]))", 4),
    (
        "import tensorflow as tf\nwith tf.Session() as s: s.run(tf.quantization.quantized_concat([1]))",
        2,
    ),
    ("import tensorflow as tf\n@tf.quantization.quantized_concat\ndef f(): pass", 2),
]


@pytest.mark.parametrize("source, line", ALIASES)
def test_aliases_are_tracked(tmp_path, source, line):
    assert scan(tmp_path, source) == [(line, "missing", MISSING)]


# Programs without missing names.
CLEAN = [
    "from tensorflow.quantization import quantized_concat",  # imported but never used
    "import tensorflow as tf\ndef f(tf):\n    tf.quantization.quantized_concat(1)",
    "import tensorflow as tf\nimport numpy as tf\ntf.quantization.quantized_concat(1)",
    "import tensorflow as tf\nx = [tf.nope for tf in range(3)]",
    "import tensorflow as tf\nfor tf in range(3): tf.nope",
    "import tensorflow as tf\ntf.nope = 3",
    "import tensorflow as tf\nclass A:\n    tf = 1\n    x = tf.nope",
    "import tensorflow as tf\nprint(tf.__version__, tf.__file__, tf.VERSION)",
    "import tensorflow as tf\nif hasattr(tf, 'nope'): tf.nope()\nelse: tf.add(1, 2)",
    "import tensorflow as tf\nf = tf.nope if hasattr(tf, 'nope') else tf.add",
    "import tensorflow as tf\nif not hasattr(tf, 'nope'): tf.add(1, 2)\nelse: tf.nope()",
    "import tensorflow as tf\ntry:\n    f = tf.nope\nexcept AttributeError:\n    f = tf.add",
    "try:\n    from tensorflow.nope import f\nexcept ImportError:\n    from tensorflow import add as f",
    "try:\n    from tensorflow import add as f\nexcept:\n    from tensorflow.nope import f\nf(1, 2)",
    "try:\n    import tensorflow.nope as n\nexcept Exception:\n    n = None",
    "from tensorflow.python.ops import rnn_cell as rc\nrc.BasicLSTMCell(3)",
    "from tensorflow.python.framework import ops\nops.get_default_graph()",
    "from . import nope\nfrom .tensorflow import nope\nimport numpy as tfp\ntfp.nope",
]


@pytest.mark.parametrize("source", CLEAN)
def test_clean_sources_have_no_findings(tmp_path, source):
    assert scan(tmp_path, source) == []


def test_fallback_import_is_tracked(tmp_path):
    source = """\
    try:
        import tensorflow.nope as n
    except ImportError:
        import tensorflow.quantization as n
    n.quantized_concat([[1]])
    """
    assert scan(tmp_path, source) == [(5, "missing", MISSING)]


def test_unrelated_except_does_not_suppress(tmp_path):
    source = "import tensorflow as tf\ntry:\n    tf.nope()\nexcept ValueError:\n    tf.nope2()"
    assert [line for line, _, _ in scan(tmp_path, source)] == [3, 5]


def test_names_unknown_to_tensorflow(tmp_path):
    source = "import tensorflow.nope.more\nfrom tensorflow.nn import nope\nimport tensorflow as tf\ntf.contrib.nope.x"
    assert scan(tmp_path, source) == [
        (1, "unknown", "tf.nope"),
        (2, "unknown", "tf.nn.nope"),
        (4, "unknown", "tf.contrib.nope"),
    ]


def test_package_reexports_are_checked(tmp_path):
    source = "from tensorflow.quantization import quantized_concat\n"
    assert scan(tmp_path, source, "__init__.py") == [(1, "missing", MISSING)]


def test_load_op_library_is_reported(tmp_path):
    source = (
        "from tensorflow.python.framework import load_library\nload_library.load_op_library('a.so')"
    )
    ((line, kind, _),) = scan(tmp_path, source)
    assert (line, kind) == (2, "op library")


def test_absl_predefined_flags(tmp_path):
    source = """\
        import tensorflow as tf
        flags = tf.app.flags
        flags.DEFINE_string("log_dir", "/tmp", "where to write")
        flags.DEFINE_string("data_dir", tf.quantization.quantized_concat, "where to read")
        tf.app.flags.DEFINE_integer(name, 1, "")
        """
    assert scan(tmp_path, source) == [(3, "absl flag", "log_dir"), (4, "missing", MISSING)]
