"""Keras's layers and models in SavedModels: how they are written, and revived by the functions saved with them."""
