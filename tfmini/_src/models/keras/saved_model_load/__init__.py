"""Layers and models of SavedModels whose classes are not there: made of the functions that were saved with them."""
