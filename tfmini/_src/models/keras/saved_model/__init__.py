"""Saves Keras layers and models in SavedModels, and revives them with their saved functions."""
