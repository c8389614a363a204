"""MetaGraphDefs: graph export, reading from files, and import into a name scope.
Used by Savers, event files and SavedModels.
"""
