"""Row T3: device scopes on one CPU and several, devices that are not there, the placement log."""

import pytest

import tfmini as tf
from tests import snippets


@pytest.mark.parametrize("name", ["t3_devices", "t3_log_placement", "t3_several_devices"])
def test_prints_what_tensorflow_printed(name):
    snippets.check(name, tf)
