"""Lookup tables as programs use them: what fills a table, tables filled once, tables that change.

    initializers    keys and values from tensors or from a text file
    static          tables that an initializer fills, and hash buckets for keys that they lack
    mutable         tables that the graph inserts into
    vocabularies    the tables of words that most programs need, made in one call

A table's state is a `Table` of `tfmini/ops/lookup/lookup_resources.py`, in the session.
"""
