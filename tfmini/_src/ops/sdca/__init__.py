"""Learners implemented as ops: dual coordinate ascent for linear models."""
