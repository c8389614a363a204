"""Calls, functional conditions and loops become nodes of a second graph, before anything is pruned.

Above plan, for a call that waits for a value compiles when it runs.
"""
