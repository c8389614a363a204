"""Each sample row, forward and gradient, and each golden program on a GPU: the same checks as on the emulator."""

import pytest

from tests.conftest import gpu_present
from tests.support import cases
from tests.support.gpu import gpu_checks

pytestmark = pytest.mark.gpu


def rows(values):
    """All rows if they can run; otherwise one, which is skipped for all."""
    return values if gpu_present() else values[:1]


@cases.parametrize(rows(gpu_checks.SAMPLES.groups()))
def test_value(group, check_each):
    check_each(group, gpu_checks.check_value)


@cases.parametrize(rows(gpu_checks.DIFFERENTIABLE.groups()))
def test_gradient(group, check_each):
    check_each(group, gpu_checks.check_gradient)


@cases.parametrize(rows(gpu_checks.BUILT.groups()))
def test_built(group, check_each):
    check_each(group, gpu_checks.check_built)


@pytest.mark.parametrize("name", rows(gpu_checks.PROGRAMS))
def test_programs(name):
    gpu_checks.check_program(name)
