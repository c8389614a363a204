"""`tf.contrib.testing`: a FileWriter for tests, and what files of events hold."""

from tfmini.contrib.testing.events import (
    assert_summary,
    latest_event_file,
    latest_events,
    latest_summaries,
    simple_values_from_events,
    to_summary_proto,
)
from tfmini.contrib.testing.fake_summary_writer import FakeSummaryWriter
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "FakeSummaryWriter",
    "assert_summary",
    "latest_event_file",
    "latest_events",
    "latest_summaries",
    "simple_values_from_events",
    "to_summary_proto",
]

_namespace(globals())
