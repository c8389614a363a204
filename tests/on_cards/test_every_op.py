"""Each sample row, forward and gradient, and each golden program on a card: the checks that the fake passes."""

import pytest

from tests.conftest import card_present
from tests.support.gpu import gpu_checks

pytestmark = pytest.mark.gpu


def rows(values):
    """All of them where they can run; elsewhere one, which is skipped for all."""
    return values if card_present() else values[:1]


@pytest.mark.parametrize("group", rows(gpu_checks.SAMPLES.groups()), ids=str)
def test_value(group, check_each):
    check_each(group, gpu_checks.check_value)


@pytest.mark.parametrize("group", rows(gpu_checks.DIFFERENTIABLE.groups()), ids=str)
def test_gradient(group, check_each):
    check_each(group, gpu_checks.check_gradient)


@pytest.mark.parametrize("group", rows(gpu_checks.BUILT.groups()), ids=str)
def test_built(group, check_each):
    check_each(group, gpu_checks.check_built)


@pytest.mark.parametrize("name", rows(gpu_checks.PROGRAMS))
def test_programs(name):
    gpu_checks.check_program(name)
