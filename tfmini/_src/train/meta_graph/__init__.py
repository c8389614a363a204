"""MetaGraphDefs: made from a graph and its collections, read from files, imported under a scope.

Savers, event files and SavedModels stand on it.
"""
