"""Each sample row, forward and gradient, and each golden program on a card: the checks that the fake passes."""

import pytest

from tests.conftest import card_present
from tests.support.gpu import gpu_checks

pytestmark = pytest.mark.gpu


def rows(values):
    """All of them where they can run; elsewhere one, which is skipped for all."""
    return values if card_present() else values[:1]


@pytest.mark.parametrize("sample", rows(gpu_checks.SAMPLES), ids=str)
def test_value(sample):
    gpu_checks.check_value(sample)


@pytest.mark.parametrize("sample", rows(gpu_checks.DIFFERENTIABLE), ids=str)
def test_gradient(sample):
    gpu_checks.check_gradient(sample)


@pytest.mark.parametrize("sample", rows(gpu_checks.BUILT), ids=str)
def test_built(sample):
    gpu_checks.check_built(sample)


@pytest.mark.parametrize("name", rows(gpu_checks.PROGRAMS))
def test_programs(name):
    gpu_checks.check_program(name)
