"""A pytest plugin for runs that may be cut off: immediate failure reports, and counts every few seconds."""

import collections
import time

import pytest

EVERY = 5.0  # seconds


class Progress:
    """Prints through the terminal reporter, in place of its dots."""

    def __init__(self, config):
        self._config = config
        self._counts = collections.Counter()
        self._begin = self._said = time.monotonic()

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report):
        category = report.outcome if report.when == "call" or report.outcome != "passed" else ""
        return category, "", ""

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            self._counts[report.outcome] += 1
        now = time.monotonic()
        if report.failed:
            self._print(f"FAILED {report.nodeid}: {reason(report)}")
        if now > self._said + EVERY:
            self._said = now
            counts = ", ".join(f"{count} {name}" for name, count in sorted(self._counts.items()))
            self._print(f"after {now - self._begin:.0f} s: {counts}")

    def _print(self, line):
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        reporter.ensure_newline()
        reporter.write_line(line, flush=True)


def reason(report):
    """The first line of a test's failure."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else str(report.longrepr)
    return (text.strip().splitlines() or [""])[0][:200]


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(config))
