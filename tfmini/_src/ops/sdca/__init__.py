"""Learners implemented as ops: dual coordinate ascent of linear models."""
