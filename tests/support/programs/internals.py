"""TensorFlow 1.15.5's internal modules, for programs that run on either implementation."""

import importlib


def internal(tf, path):
    """The module `tensorflow.PATH`; in tfmini, the one that its import hook provides under that name."""
    name = "tensorflow." + path
    if tf.__name__ != "tfmini":
        return importlib.import_module(name)
    return importlib.import_module("tfmini._src.programs.hook.facade").Facade(name)
