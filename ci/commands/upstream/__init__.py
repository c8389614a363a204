"""TensorFlow 1.15's own tests, run on tfmini: `ci/soak tensorflow_tests` (see `__main__`).

The tests themselves are not part of this tree. `files.tsv` lists, by area, the files of TensorFlow's sources that apply
to another implementation, with their number of counted tests; `not_counted.tsv.xz` names the excluded tests:
TensorFlow 1.15.5 fails or skips them in graphs, or they access private attributes of its objects. `worker` runs files,
on tfmini or on TensorFlow itself, with `shim` for their other imports; `counting` reads and writes the tables, `report`
the figures. `call_recorder` records the public functions that the tests call, for `ci/record calls`; `call_kinds`
decides which calls are sufficient. `eager_files.tsv` and `eager_not_counted.tsv.xz` are the same for tests in all modes
they are written for, including eager mode.
"""
