"""Row T7: Shaping, reducing, slicing, stacking, gathering, looking up."""

import tfmini as tf
from tests import snippets


def test_prints_what_tensorflow_printed():
    snippets.check("t7_shaping", tf)
