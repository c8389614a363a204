"""Fuzzing of the CPU kernels: ops and native entry points with valid, mutated and invalid arrays and attrs.

`python -m tests.support.hostile COUNT SEED` runs that many cases, while a thread overwrites their inputs; ci/check
native does so on a build with sanitizers.
"""
