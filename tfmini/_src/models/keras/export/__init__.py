"""Compiled copies of models in other graphs: SavedModels, Estimators."""
