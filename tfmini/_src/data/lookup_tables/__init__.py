"""Lookup tables: initializers, immutable tables, mutable tables.

    initializers    keys and values from tensors or from a text file
    static_hash_table          tables filled by an initializer, and hash buckets for missing keys
    mutable_hash_table         tables modified by the graph
    index_table    vocabulary tables for common cases, created in one call

A table's state is a `Table` (`tfmini/_src/ops/lookup/table.py`) in the session.
"""
