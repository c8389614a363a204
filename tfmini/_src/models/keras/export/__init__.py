"""Model exports: compiled copies in other graphs, as SavedModels or Estimators."""
