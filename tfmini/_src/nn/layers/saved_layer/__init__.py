"""Layers in SavedModels: metadata, lists of children, and functions that call the layer."""
