"""Models in files: weights and models in HDF5, weights as checkpoints of objects.

`hdf5` loads h5py at its first use; `training_config` describes how a model was compiled.
"""
