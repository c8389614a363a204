"""Lookup tables: initializers, immutable tables and mutable tables.

    initializers    keys and values from tensors or from a text file
    static_hash_table          tables filled by an initializer, and hash buckets for missing keys
    mutable_hash_table         tables modified by the graph
    index_table    vocabulary tables for common cases, created in one call

The state of a table is a `Table` (`tfmini/_src/ops/lookup/table.py`) in the session.
"""
