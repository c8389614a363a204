"""Attrs of the wrong kind beside inputs of the wrong kind, ranks that only the kernel checks."""
