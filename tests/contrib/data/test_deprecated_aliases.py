"""The older names of transformations of datasets, which warn of themselves and of what they mean."""

import logging

import pytest

import tfmini as tf
from tfmini._src.base.names import deprecation


@pytest.fixture
def notices(monkeypatch):
    """The messages that are logged while a test runs, those that have been logged before as well."""
    monkeypatch.setattr(deprecation, "_warned", set())
    kept = []

    class Keeping(logging.Handler):
        def emit(self, record):
            kept.append(record.getMessage())

    handler = Keeping()
    logging.getLogger("tensorflow").addHandler(handler)
    yield kept
    logging.getLogger("tensorflow").removeHandler(handler)


def test_both_names_warn(notices):
    tf.data.Dataset.range(3).apply(tf.contrib.data.shuffle_and_repeat(3, seed=1))
    told = [text for text in notices if "shuffle_and_repeat" in text]
    assert len(told) == 2
    assert "Use `tf.data.experimental.shuffle_and_repeat(...)`." in told[0]
    assert "Use `tf.data.Dataset.shuffle(buffer_size, seed)` followed by" in told[1]
