"""MetaGraphDefs: exported from a graph and its collections, read from files, imported into a scope.

Used by Savers, event files and SavedModels.
"""
