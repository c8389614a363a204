"""Layers and models of SavedModels without their classes, rebuilt from the saved functions."""
