"""Hostile input for the CPU's kernels: ops and native entries with valid, mutated and invalid arrays and attrs.

`python -m tests.support.hostile COUNT SEED` runs that many cases, with a thread that writes into what they read;
ci/check native does so on a build with sanitizers.
"""
