"""Row T14: cond, case, group, tuple, control_dependencies."""

import tfmini as tf
from tests import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("t14_choices", tf)
