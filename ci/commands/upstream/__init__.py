"""TensorFlow 1.15's own tests, run on tfmini: `ci/soak tensorflow_tests` (see `__main__`).

The tests themselves are not here. `files.tsv` lists those files of TensorFlow's sources that another implementation can
be held to, by area, with how many of their tests count; `not_counted.tsv.xz` names the tests that do not: TensorFlow
1.15.5 does not pass them in graphs, or skips them, or they ask its objects for private attributes. `worker` runs files,
on tfmini or on TensorFlow itself, with the `shim` for what they import besides; `counting` reads and writes the tables,
`report` the figures. `call_recorder` writes down the public functions that the tests call, for `ci/record calls`;
`call_kinds` says which calls are enough. `eager_files.tsv` and `eager_not_counted.tsv.xz` are the same for tests in the
modes they are written for, eager mode among them.
"""
