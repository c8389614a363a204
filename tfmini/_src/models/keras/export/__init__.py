"""Export of models as compiled copies in other graphs: SavedModels, Estimators."""
