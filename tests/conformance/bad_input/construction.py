"""Invalid dtypes, ranks, shapes and values during graph construction."""
