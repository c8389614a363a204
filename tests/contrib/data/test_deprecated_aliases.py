"""The older names of transformations of datasets: each warns of itself, and the newer name of itself in its turn."""

import tfmini as tf
from tfmini._src.base.names import deprecation


def test_each_name_warns_where_the_program_uses_it(caplog, monkeypatch):
    monkeypatch.setattr(deprecation, "_warned", set())
    for module in (tf.contrib.data, tf.data.experimental):
        tf.data.Dataset.range(3).apply(module.shuffle_and_repeat(3, seed=1))
    told = [text for text in caplog.messages if "shuffle_and_repeat" in text]
    assert len(told) == 2
    assert "Use `tf.data.experimental.shuffle_and_repeat(...)`." in told[0]
    assert "Use `tf.data.Dataset.shuffle(buffer_size, seed)` followed by" in told[1]
