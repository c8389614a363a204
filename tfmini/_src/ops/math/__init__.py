"""Arithmetic, elementwise and special functions, reductions, scans, segments, sorting and counting."""
