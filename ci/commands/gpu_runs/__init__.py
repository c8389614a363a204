"""Driver of `ci/gpu`: runs steps on a GPU, each with its own time limit, and stores their output.

`calls.py` lists the steps, `processes.py` runs one, `results.py` owns the results folder and the summary, `caches.py`
carries compiled kernels from one machine to the next, `machine.py` prepares the environment. Uses the standard library
only, since it reports missing packages.
"""
