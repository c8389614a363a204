"""Saving of models: weights and models in HDF5, weights as object-based checkpoints.

`training_config` serializes compile arguments.
"""
