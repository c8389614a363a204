"""Lookup tables: initializers, immutable tables, mutable tables.

    initializers    keys and values from tensors or from a text file
    static_hash_table          tables that an initializer fills, and hash buckets for keys that they lack
    mutable_hash_table         tables that the graph inserts into
    index_table    the tables of words that most programs need, made in one call

A table's state is a `Table` of `tfmini/_src/ops/lookup/table.py`, in the session.
"""
