"""Saving of models: weights and models in HDF5, weights in object-based checkpoints.
`training_config` serializes compile arguments.
"""
