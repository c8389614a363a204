"""Restores old behavior of reading files: arrays with objects, Python 2 pickles, YAML without a loader, HDF5 files."""

from __future__ import annotations

import inspect
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.programs.hook.warn_once import warn_once


def load_arrays(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Loads arrays, including pickled object arrays, which were once allowed by default."""
    try:
        loaded = function(*args, **kwargs)
    except ValueError as error:
        if "allow_pickle=False" not in str(error):
            raise
        warn_once(
            "allow_pickle", "np.load reads objects only with allow_pickle=True, which is set here."
        )
        if _can_seek(args[0]):
            args[0].seek(0)
        return function(*args, allow_pickle=True, **kwargs)
    if isinstance(loaded, np.lib.npyio.NpzFile):
        loaded.allow_pickle = True  # arrays are read lazily
    return loaded


def load_without_pickles(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Loads arrays; raises ValueError for pickled objects even if the program allows them."""
    options = inspect.signature(np.load).bind(*args, **kwargs)
    options.arguments["allow_pickle"] = False
    return function(*options.args, **options.kwargs)


def unpickle(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    is_file = function is pickle.load
    position = args[0].tell() if is_file and args and _can_seek(args[0]) else None
    try:
        return function(*args, **kwargs)
    except UnicodeDecodeError:
        if "encoding" in kwargs or (is_file and position is None):
            raise
    if position is not None:
        args[0].seek(position)
    warn_once("pickle", "Python 2 wrote this pickle; it is read with encoding='latin1' here.")
    return function(*args, encoding="latin1", **kwargs)


def load_yaml(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Implements `yaml.load` without a loader: loads plain values, like PyYAML's FullLoader."""
    if len(args) > 1 or "Loader" in kwargs:
        return function(*args, **kwargs)
    warn_once("yaml", "yaml.load requires a loader; yaml.FullLoader is used here.")
    return function(*args, Loader=sys.modules["yaml"].FullLoader, **kwargs)


def open_hdf5(function: Callable, name: Any, kwargs: dict[str, Any]) -> Any:
    """Opens an HDF5 file without a mode as h5py 2 did: for reading and writing, else for reading, else creates it."""
    if kwargs.get("mode") is not None:
        return function(name, **kwargs)
    warn_once("h5py", "h5py.File without a mode is now read-only; it is writable here, as before.")
    for mode in ("r+", "r"):
        try:
            return function(name, **{**kwargs, "mode": mode})
        except OSError:
            pass
    return function(name, **{**kwargs, "mode": "w-"})


def _can_seek(file: Any) -> bool:
    return hasattr(file, "seekable") and file.seekable()
