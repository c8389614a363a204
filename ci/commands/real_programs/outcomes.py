"""A pytest plugin that writes each test's outcome, one line each, as soon as it is known.

    python -m pytest -p outcomes TESTS     with this folder on PYTHONPATH, and the file in OUTCOMES

A line contains `passed`, `failed` or `skipped`, the test's name, and the error of a failure, separated by tabs. A test
that takes longer than OUTCOMES_SECONDS (120) fails. Runs on Python 3.7 too.
"""

import os
import signal

import pytest

_how = {}  # by running test: its worst phase


def _too_long(signum, frame):
    raise TimeoutError("timed out after {} s".format(os.environ.get("OUTCOMES_SECONDS", "120")))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(int(os.environ.get("OUTCOMES_SECONDS", "120")))
    try:
        yield
    finally:
        signal.alarm(0)


def pytest_runtest_logreport(report):
    if report.failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        said = str(getattr(crash, "message", report.longrepr))
        _how.setdefault(report.nodeid, ("failed", " ".join(said.split())[:200]))
    elif report.skipped:
        _how.setdefault(report.nodeid, ("skipped", ""))
    if report.when == "teardown":
        _write(report.nodeid, *_how.pop(report.nodeid, ("passed", "")))


def pytest_collectreport(report):
    if report.failed:
        lines = str(report.longrepr).strip().splitlines()
        _write(report.nodeid, "failed", " ".join(lines[-1].split())[:200] if lines else "")


def _write(name, how, said):
    with open(os.environ["OUTCOMES"], "a", encoding="utf-8") as file:
        file.write("{}\t{}\t{}\n".format(how, name.replace("\t", " ").replace("\n", " "), said))
