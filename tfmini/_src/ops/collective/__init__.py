"""Reductions across several GPUs."""
