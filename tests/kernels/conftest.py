"""The kernels' tests: in each order of threads, where the tools to compile them are there.

TFMINI_ALL_TOOLS makes a missing tool a failure instead of a skip (`ci/check` sets it).
"""

import os

import pytest

from tests.cuda_on_cpu import available, running_in


@pytest.fixture(autouse=True)
def _stand_in():
    if not available() and not os.environ.get("TFMINI_ALL_TOOLS"):
        pytest.skip("needs g++ on Linux")


@pytest.fixture(params=["forward", "reverse", "random"])
def order(request):
    """The order in which the threads and blocks of the test's kernels run."""
    with running_in(request.param):
        yield request.param
