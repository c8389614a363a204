"""Function call ops: graph functions, Python functions; optional values."""
