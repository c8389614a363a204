"""Wrong dtypes, ranks, shapes and values where a graph is built."""
