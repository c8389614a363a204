"""Runs the kernel tests in each thread order, if there is a compiler for the CPU emulation."""

import pytest

from tests.support.cuda_on_cpu import available, running_in


@pytest.fixture(autouse=True)
def _stand_in():
    if not available():
        pytest.skip("needs g++ on Linux")


@pytest.fixture(params=["forward", "reverse", "random"])
def order(request):
    """The execution order of the test kernels' threads and blocks."""
    with running_in(request.param):
        yield request.param
