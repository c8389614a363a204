"""Keras layers and models in SavedModels: saving, and revival with their saved functions."""
