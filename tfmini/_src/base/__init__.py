"""Foundations: dtypes, errors, shapes, nested structures, messages, locks, logs, flags, public names.

Nothing here knows a graph. `names` attaches the public namespaces and says what is deprecated, renamed or missing;
`proto` has TensorFlow's messages. Begin with `dtypes`, `errors` and `shapes`.
"""
