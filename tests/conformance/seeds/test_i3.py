"""Row I3: get_variable twice: the error shows where the first one was created."""

import pytest

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("i3_twice", tf)


def test_error_names_first_definition():
    tf.reset_default_graph()
    tf.get_variable("weights", [1])
    with pytest.raises(ValueError, match="Originally defined at:") as caught:
        tf.get_variable("weights", [1])
    traceback = str(caught.value).partition("Originally defined at:")[2]
    assert f'File "{__file__}"' in traceback
    assert 'tf.get_variable("weights", [1])' in traceback
