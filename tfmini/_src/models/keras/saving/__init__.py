"""Saving of models: weights and models in HDF5, weights as object-based checkpoints.

`hdf5` loads h5py at its first use; `training_config` describes how a model was compiled.
"""
