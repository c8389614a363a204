"""tfmini and TensorFlow 1.15.5 measured alternately, by `ci/bench`.

- `workloads.py`: each workload once, as a function of `tf`; runs on both sides (Python 3.7 too).
- `recurrent.py`: loops and recurrent networks, in the same form.
- `networks.py`: image networks, in the same form.
- `alignments.py`: sequence alignments, CRFs and decoders, in the same form.
- `families.py`: single ops on large arrays, in the same form.
- `worker.py`: the measuring process, which answers requests, one JSON object per line.
- `sides.py`: starts both workers with the same environment and queries them alternately.
- `rows.py`: the rows and their target ratios.
- `report.py`: the table, with the machine, the versions, the commit and the date.

- `cores.py`: tfmini alone, on 1 to 16 cores (`ci/bench cores`).

On a GPU (`ci/bench gpu`):

- `gpu_rows.py`: the rows, with their peers and the target ratios; `gpu.py`: the table.
- `gpu_processes.py`: one measuring process per side and environment; `gpu_sides.py`: the workloads of tfmini, PyTorch,
  JAX and the GPU itself, at the sizes of `gpu_sizes.py`; `timing.py`: host and wall time.
- `gpu_networks.py`, `gpu_lstms.py`: image networks and LSTMs; `gpu_torch.py`: PyTorch's execution modes.
- `gpu_step_logs.py`: step logs; `probe.py`: the performance of a GPU and of CuPy.
"""
