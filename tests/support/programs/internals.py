"""Internal modules of TensorFlow 1.15.5 for programs that run on either implementation."""

import importlib


def internal(tf, path):
    """The module `tensorflow.PATH`; of tfmini the one that its import hook offers under that name."""
    name = "tensorflow." + path
    if tf.__name__ != "tfmini":
        return importlib.import_module(name)
    return importlib.import_module("tfmini._src.programs.hook.facade").Facade(name)
