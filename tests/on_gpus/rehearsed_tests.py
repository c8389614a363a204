"""A pytest plugin for rehearsals: runs a selection of GPU tests on the emulator."""

import itertools
import os

import pytest

from tests import conftest

EACH = int(os.environ.get("REHEARSED_TESTS", "1"))  # cases per test
# The emulator has no driver to count memory and processes, no failing kernels, no other library's arrays.
NEED_A_GPU = (
    "test_memory_options",
    "test_nvml_matches",
    "test_oom_message",
    "test_forked_child_uses",
    "test_failed_kernel_is",
    "test_cublas_matches",
    "test_kernels_share_one_option_set",
    "test_foreign_array",
)
# They take minutes on it.
TAKE_LONG = (
    "test_training_does_not_leak",
    "test_segment_graphs",
    "test_captured_steps_match",
    "test_gpu_training_matches",
    "test_steps_without_fetches",
    "test_large_feed",
    "test_threads_run_while",
    "test_towers",
)


def pytest_configure():
    conftest.gpu_present = lambda: True


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    retained, left = [], []
    by_test = itertools.groupby(items, key=lambda item: item.nodeid.partition("[")[0])
    for name, cases in by_test:
        cases = list(cases)
        stride = max(1, len(cases) // EACH)
        chosen = (
            [] if any(part in name for part in NEED_A_GPU + TAKE_LONG) else cases[::stride][:EACH]
        )
        retained += chosen
        left += [case for case in cases if case not in chosen]
    config.hook.pytest_deselected(items=left)
    items[:] = retained


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK
