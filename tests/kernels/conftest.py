"""The kernels' tests: in each order of threads, where there is a compiler for their CPU stand-in."""

import pytest

from tests.support.cuda_on_cpu import available, running_in


@pytest.fixture(autouse=True)
def _stand_in():
    if not available():
        pytest.skip("needs g++ on Linux")


@pytest.fixture(params=["forward", "reverse", "random"])
def order(request):
    """The order in which the threads and blocks of the test's kernels run."""
    with running_in(request.param):
        yield request.param
