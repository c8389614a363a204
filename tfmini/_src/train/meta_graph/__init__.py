"""MetaGraphDefs: graph export, reading from files, import into a name scope.
Used by Savers, event files and SavedModels.
"""
