"""Row T23: synchronous training by SyncReplicasOptimizer over a parameter server and two workers."""

import re

import pytest

from tests.seeds.cluster_programs import synchronous


def check(outputs):
    found = [re.search(r"step (\d+) own (\d+) loss (\S+)", text).groups() for text in outputs]
    assert max(int(step) for step, _, _ in found) >= 19
    assert all(int(own) > 0 and float(loss) < 1.0 for _, own, loss in found)


def test_three_processes(tmp_path):
    check(synchronous(tmp_path))


@pytest.mark.reference
@pytest.mark.parametrize("side", ["servers", "workers"])
def test_with_tensorflow(tmp_path, reference, side):
    check(synchronous(tmp_path, **{side: reference}))
