"""Math ops: arithmetic, elementwise and special functions, reductions, scans, segments, sorting, counting."""
