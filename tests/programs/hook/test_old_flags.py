"""FLAGS as parsed and read by programs for TensorFlow 1.0 to 1.4."""

import sys

from absl import flags as absl_flags

import tfmini as tf


def test_flags_are_parsed_and_listed(tensorflow, monkeypatch, caplog):
    flags = tensorflow.app.flags
    assert flags.FLAGS is tensorflow.flags.FLAGS
    own = absl_flags.FlagValues()
    fresh = type(flags.FLAGS)(own)
    absl_flags.DEFINE_integer("steps", 3, "", flag_values=own)
    absl_flags.DEFINE_boolean("fast", False, "", flag_values=own)
    absl_flags.DEFINE_string("folder", None, "", flag_values=own)
    monkeypatch.setattr(sys, "argv", ["train.py", "--steps=7"])
    values = getattr(fresh, "__flags")
    assert values["steps"] * 2 == 14 and f"{values['fast']}" == "False" and not values["fast"]
    assert tf.zeros([values["steps"], 1]).shape.as_list() == [7, 1]
    assert [(name, flag.value) for name, flag in values.items() if flag.name != "steps"] == [
        *(("fast", False), ("folder", None)),
    ]
    fresh._parse_flags(["--steps=8"])
    assert fresh.steps == fresh.__dict__["__flags"]["steps"] == 8
    fresh.sources = fresh.steps - 1
    fresh.steps = 9
    assert (fresh.sources, values["sources"], fresh.steps) == (7, 7, 9)
    assert "FLAGS._parse_flags() was removed" in caplog.text
    assert "FLAGS.sources is not defined" in caplog.text and "FLAGS.steps is" not in caplog.text
