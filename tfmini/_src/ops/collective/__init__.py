"""Reductions over several GPUs."""
