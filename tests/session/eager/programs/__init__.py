"""Programs in eager mode: functions of `tf` whose return values are recorded by TensorFlow 1.15.5."""
