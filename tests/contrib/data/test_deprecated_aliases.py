"""Deprecated aliases of dataset transformations, with their warnings."""

import tfmini as tf
from tfmini._src.base.names import deprecation


def test_both_names_warn(caplog, monkeypatch):
    monkeypatch.setattr(deprecation, "_warned", set())
    tf.data.Dataset.range(3).apply(tf.contrib.data.shuffle_and_repeat(3, seed=1))
    messages = [text for text in caplog.messages if "shuffle_and_repeat" in text]
    assert len(messages) == 2
    assert "Use `tf.data.experimental.shuffle_and_repeat(...)`." in messages[0]
    assert "Use `tf.data.Dataset.shuffle(buffer_size, seed)` followed by" in messages[1]
