"""From a Python function to the syntax tree of its source, and what that tree reads and writes."""
