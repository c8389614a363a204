"""Learners that are ops: dual coordinate ascent of linear models."""
