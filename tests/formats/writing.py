"""Checkpoints written by tests, and leftovers of a dead process."""

import os
import subprocess
import sys

import numpy as np

from tfmini._src.formats.bundle_writer import BundleWriter

VALUES = {"a": np.arange(5.0), "b": np.ones([2, 3], np.int32)}


def write(prefix, values, syncs=False):
    with BundleWriter(str(prefix), syncs) as writer:
        for name, value in values.items():
            writer.add(name, value)
        writer.finish()


def names(folder):
    return sorted(os.listdir(folder))


def abandoned_ending():
    """The suffix of a dead process's temporary files."""
    code = "from tfmini._src.formats.atomic_write import temporary_ending as t; print(t())"
    return subprocess.check_output([sys.executable, "-c", code], text=True).strip()
