"""Pre-1.0 TensorFlow names, and names supplied by the runner."""

import pytest

from tests.programs.check.test_uses import scan
from tests.programs.cli.test_run import run
from tfmini._src.programs.check.programs import findings


def test_supplied_old_names_are_reported(tmp_path):
    source = (
        "import tensorflow as tf\na = tf.mul(2, tf.pack([1]))\ntf.train.Saver\ntf.concat(0, [a])\n"
    )
    assert scan(tmp_path, source) == [(2, "old name", "tf.mul"), (2, "old name", "tf.pack")]
    (mul, _) = findings(str(tmp_path / "train.py"))
    assert "tf.multiply" in mul.problem.advice and not mul.fails()


@pytest.mark.parametrize(
    "source, expected",
    [
        (
            "from tensorflow.models.rnn import rnn_cell as rc\nrc.BasicLSTMCell(3)",
            [(1, "tf.models.rnn.rnn_cell")],
        ),
        (
            "import tensorflow.models.rnn.rnn_cell as rc\nrc.BasicLSTMCell(3)",
            [(1, "tf.models.rnn.rnn_cell")],
        ),
        ("import tensorflow as tf\ntf.nn.seq2seq.sequence_loss", [(2, "tf.nn.seq2seq")]),
        ("from tensorflow import mul\nx = 1\nmul(1, 2)", [(3, "tf.mul")]),
    ],
)
def test_removed_modules(tmp_path, source, expected):
    actual = scan(tmp_path, source)
    assert [(line, name) for line, kind, name in actual if kind == "old name"] == expected
    assert all(kind in ("old name", "missing") for _, kind, _ in actual)


def test_modules_unknown_to_tensorflow(tmp_path):
    source = "from tensorflow.models.rnn import nope\nfrom tensorflow.models.nope import x"
    assert [kind for _, kind, _ in scan(tmp_path, source)] == ["unknown", "unknown"]


def test_private_names_of_generated_functions(tmp_path):
    source = "from tensorflow.python.ops import gen_nn_ops\ngen_nn_ops._relu_grad(1.0, 2.0)"
    (name,) = scan(tmp_path, source)
    assert name[:2] == (2, "old name") and "_relu_grad" in name[2]


# One program per kind: `check` predicts its outcome under `run`.
BOTH = [
    ("tf.mul(1, 2)", ""),
    ("tf.pack([1])", ""),
    ("from tensorflow.python.ops import gen_nn_ops as g; g._relu_grad([1.], [2.])", ""),
    ("tf.nn.rnn_cell.BasicLSTMCell(2)", ""),
    ("tf.quantization.quantized_concat([[1]])", "NotImplementedError"),
    ("tf.load_op_library('a.so')", "NotFoundError"),
    ("tf.sysconfig.get_include()", "NotImplementedError"),
    ("tf.nope(1)", "AttributeError"),
    ("tf.nn.nope(1)", "AttributeError"),
    ("from tensorflow.nope import x", "ModuleNotFoundError"),
    ("from tensorflow.nn import nope", "ImportError"),
    ("from tensorflow.models.rnn import nope", "ImportError"),
    ("from tensorflow.models.rnn import rnn_cell; rnn_cell.BasicLSTMCell(2)", ""),
    ("from tensorflow.models.rnn.ptb import reader; reader._read_words", ""),
    ("from tensorflow.models.rnn.ptb.reader import nope", "ImportError"),
    ("from tensorflow.examples.tutorials.mnist import mnist; mnist.inference", ""),
    ("from tensorflow.quantization import quantized_concat", ""),
    ("import tensorflow.compat.v1 as tf; tf.sub(1, 2)", ""),
]


def test_check_agrees_with_runner(tmp_path):
    lines = [
        f"try:\n    exec({text!r})\n    print('')\nexcept Exception as e:\n    print(type(e).__name__)\n"
        for text, _ in BOTH
    ]
    process = run("-c", "import tensorflow as tf\n" + "".join(lines), cwd=tmp_path)
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines() == [error for _, error in BOTH]
    path = tmp_path / "one.py"
    for text, error in BOTH:
        path.write_text(f"import tensorflow as tf\n{text}\n")
        assert any(f.fails() for f in findings(str(path))) == bool(error), text
