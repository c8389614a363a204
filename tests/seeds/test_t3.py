"""Row T3: Device scopes on the CPU, devices that are not there, the placement log."""

import pytest

import tfmini as tf
from tests import snippets


@pytest.mark.parametrize("name", ["t3_devices", "t3_log_placement"])
def test_prints_what_tensorflow_printed(name):
    snippets.check(name, tf)
