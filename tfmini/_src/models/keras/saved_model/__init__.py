"""Keras layers and models in SavedModels: saving, and reviving with the functions saved with them."""
