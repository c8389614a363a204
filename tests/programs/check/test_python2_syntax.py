"""Python 2 programs are parsed to the end: missing names are found at their lines."""

import pytest

from tests.programs.check.test_uses import MISSING, scan
from tfmini._src.programs.check.python2_syntax import parse_leniently

STATEMENTS = [
    "print 'a', 3",
    "print 'a',",
    "print '%d' % (1,\n    2)",
    "try:\n    pass\nexcept ValueError, e:\n    print e",
    "try:\n    pass\nexcept (ValueError, IOError), e: pass",
    "raise ValueError, 'no'",
    "exec 'x = 1'",
    "x = 0777 + 10L + 0xFFL",
    "x = ur'a'",
    "x = `1`",
    "if 1 <> 2: pass",
    "def f(a, (b, c)): pass",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_code_after_python2_statement_is_checked(tmp_path, statement):
    source = f"import tensorflow as tf\n{statement}\n\n\ntf.quantization.quantized_concat([[1]])\n"
    line = source[: source.index("tf.quantization")].count("\n") + 1
    kinds = scan(tmp_path, source)
    assert (line, "missing", MISSING) in kinds
    assert [kind for _, kind, _ in kinds].count("Python 2") >= 1


def test_lenient_parse_of_garbage_returns_none():
    assert parse_leniently("(" * 100 + "\n" + "$ $\n" * 200) is None
