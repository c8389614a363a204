"""Row T22: asynchronous training by two parameter servers and two workers, four processes of one script."""

import re

import pytest

from tests.seeds.cluster_programs import asynchronous

PLACED = (
    "[('bias', '/job:ps/task:1'), ('global_step', '/job:ps/task:0'), ('weights', '/job:ps/task:0')]"
)


def check(outputs):
    for text in outputs:
        steps, own, loss = re.search(r"steps (\d+) own (\d+) loss (\S+)", text).groups()
        assert int(steps) >= 60 and int(own) >= 5 and float(loss) < 1.0
        assert PLACED in text
    assert "saved True" in outputs[0]


def test_four_processes(tmp_path):
    check(asynchronous(tmp_path))


@pytest.mark.reference
@pytest.mark.parametrize("side", ["servers", "workers"])
def test_with_tensorflow(tmp_path, reference, side):
    check(asynchronous(tmp_path, **{side: reference}))
