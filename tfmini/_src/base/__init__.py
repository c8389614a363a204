"""Foundations: dtypes, errors, shapes, nested structures, protos, locks, logs, flags, public names.

Nothing here depends on graphs. `names` attaches the public namespaces and lists deprecated, renamed and missing names;
`proto` provides TensorFlow's messages. Start with `dtypes`, `errors` and `shapes`.
"""
