"""tfmini and TensorFlow 1.15.5 measured side by side; `ci/bench` runs it.

- `workloads.py`: each workload once, as a function of `tf`; runs on both sides (Python 3.7 too).
- `families.py`: one op at a time on large arrays, in the same form.
- `worker.py`: the process that measures; it answers requests, one JSON object a line.
- `sides.py`: starts the two workers with the same environment and asks them in turn.
- `rows.py`: what is reported, and the ratio each row has to reach.
- `report.py`: the table, with the machine, the versions, the commit and the date.
"""
