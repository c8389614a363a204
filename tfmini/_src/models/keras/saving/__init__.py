"""Saves models: weights and models in HDF5 files, weights in object-based checkpoints.
`training_config` serializes compile arguments.
"""
