"""Row I4: variable_scope: reuse in all its forms, nesting, scope objects, default names."""

import pytest

import tfmini as tf
from tests.support import snippets


@pytest.mark.parametrize("name", ["i4_reuse", "i4_scopes", "i4_where_called"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)
