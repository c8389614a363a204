"""tfmini and TensorFlow 1.15.5 measured alternately, by `ci/bench`.

- `workloads.py`: each workload once, as a function of `tf`; runs on both sides (Python 3.7 too).
- `recurrent.py`: loops and recurrent networks, in the same form.
- `networks.py`: networks of images, in the same form.
- `alignments.py`: alignments, chains and decoders of sequences, in the same form.
- `families.py`: one op at a time on large arrays, in the same form.
- `worker.py`: the process that measures; it answers requests, one JSON object a line.
- `sides.py`: starts the two workers with the same environment and asks them in turn.
- `rows.py`: the rows, and the ratio each must reach.
- `report.py`: the table, with the machine, the versions, the commit and the date.

- `cores.py`: tfmini alone, on 1 to 16 cores (`ci/bench cores`).

On a card (`ci/bench gpu`):

- `gpu_rows.py`: the rows, with their peers and the target ratios; `gpu.py`: the table.
- `gpu_processes.py`: one measuring process for each side and environment; `gpu_sides.py`: its workloads of tfmini,
  PyTorch, JAX and the card itself, in the sizes of `gpu_sizes.py`; `timing.py`: host and wall time.
- `gpu_networks.py`, `gpu_lstms.py`: networks of images and LSTMs; `gpu_torch.py`: PyTorch's ways to run a step.
- `gpu_step_logs.py`: logs of steps; `probe.py`: the performance of a card and of CuPy.
"""
