"""Row I6: name_scope against variable_scope: their effects on names."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["i6_both_scopes", "i6_name_scope", "i6_variable_scope"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
