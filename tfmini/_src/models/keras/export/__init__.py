"""Exports models as compiled copies in other graphs: SavedModels or Estimators."""
