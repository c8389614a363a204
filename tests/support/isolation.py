"""Isolation: every test, and every case of a group, starts from the same process state."""

import ctypes
import functools
import gc
import linecache
import mmap
import pathlib
import platform
import random
import sys
import weakref
import zlib

import numpy as np

from tfmini._src.base import fresh_seeds
from tfmini._src.graph import default_stack
from tfmini._src.graph.default_graph import reset_default_graph
from tfmini._src.graph.eager.operation_seeds import seeds as eager_seeds
from tfmini._src.nn.layers.backend.keras_graph import forget_keras_graph
from tfmini._src.session import default_config
from tfmini._src.session.eager import execute
from tfmini._src.session.eager.context import current_context
from tfmini._src.train.events.file_writer import FileWriterCache
from tfmini._src.train.summary_v2.record_summaries import DEFAULTS as summary_settings
from tfmini._src.variables import enable_resource_variables as default_kind
from tfmini._src.variables.capturable_resource import CapturableResourceDeleter

MUCH = 10 << 20  # bytes left by the tests of a file
MUCH_OF_A_TEST = 20 << 20  # and by tests and cases within a file
_Cached = type(functools.cache(len))
_M_MMAP_THRESHOLD = -3  # from malloc.h
_STATM = pathlib.Path("/proc/self/statm")
_trim = ctypes.CDLL(None).malloc_trim if platform.libc_ver()[0] == "glibc" else None
_lowest = [0]  # minimum resident bytes since memory was last returned
_lowest_in_file = [0]  # and since the last garbage collection
_is_set_aside = [False]

# By test module: its random generators, and their states before the first test.
_generators = {}

# Existing deleters of resources, each of which calls a function when collected.
_deleters = weakref.WeakSet()


def begin(name, module=None):
    """Resets the default graph, seeds and settings to those of a new process, for a test or case with this full
    name.
    """
    if not default_stack.graphs.items:
        reset_default_graph()
    forget_keras_graph()  # used to number eager mode's symbolic tensors
    if eager_seeds.seed is not None or execute._compiled_ops:
        eager_seeds.set(None)
    for generator, state in _generators.get(module, ()):
        generator.set_state(state)
    _seed(zlib.crc32(name.encode()))
    vars(summary_settings).clear()
    default_kind._use_resource = False  # Estimators of boosted trees enable them
    default_config.forget()
    eager_context = current_context()
    if eager_context is not None and eager_context.is_initialized:
        default_config.freeze()


def close_files():
    """Closes event files that a test or case left open in its temporary folder."""
    FileWriterCache.clear()


def end():
    """Closes everything left open by a test or case. Collects garbage if there is much, since emulated GPUs, graphs
    and their arrays form reference cycles.
    """
    close_files()
    for deleter in list(_deleters):  # not during a test that counts launches
        deleter._destroy_resource = None
    resident = _resident()
    if resident > _lowest_in_file[0] + MUCH_OF_A_TEST:
        collect_garbage()
    _lowest_in_file[0] = min(_lowest_in_file[0], resident)


def give_back_memory():
    """Empties the tests' caches, collects garbage and returns free memory to the system if a file's tests left much of
    it.
    """
    resident = _resident()
    if resident > _lowest[0] + MUCH:
        _empty_caches()
        if _is_set_aside[0]:  # some of it is garbage by now
            gc.unfreeze()
            collect_garbage()
            gc.freeze()
            _is_set_aside[0] = False
        else:
            collect_garbage()
        resident = _lowest[0] = _resident()
    _lowest[0] = min(_lowest[0], resident)


def collect_garbage():
    """Collects garbage and returns free memory to the system."""
    gc.collect()
    if _trim is not None:
        _trim(0)
    _lowest_in_file[0] = _resident()


def set_objects_aside():
    """Freezes existing objects, so that tests that collect garbage do not traverse them, which takes seconds."""
    gc.collect()
    gc.freeze()
    _is_set_aside[0] = True


def forget_test(item):
    """Drops pytest's data of a finished test: 60 MB for the whole suite."""
    items = item.session.items
    items[items.index(item)] = None
    vars(item).clear()  # its keywords refer to it, and it is excluded from collection


def drop_reports(config):
    """Drops the reports of finished tests that a pytest-xdist worker's terminal reporter collects for a summary it
    never prints: 40 MB for the whole suite.
    """
    if hasattr(config, "workerinput"):
        config.pluginmanager.get_plugin("terminalreporter").stats.clear()


def map_large_arrays():
    """Makes glibc map large arrays outside the heap, which would be fragmented by them."""
    if _trim is not None:
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, 256 << 10)


def _empty_caches():
    """Drops cached recordings, programs and sources; tests reload them on demand."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("ci.", "tests.")):
            for value in list(vars(module).values()):
                if isinstance(value, _Cached) and value.__module__.startswith(("ci.", "tests.")):
                    value.cache_clear()
    for name, (_, changed, *_) in [e for e in linecache.cache.items() if len(e[1]) > 1]:
        if changed is not None:  # of a file
            del linecache.cache[name]


def _resident():
    """The resident memory of this process in bytes; 0 if the system does not report it."""
    try:
        return int(_STATM.read_text().split()[1]) * mmap.PAGESIZE
    except OSError:
        return 0


def _seed(seed):
    """Seeds everything that is random by default, so that a test is independent of execution order."""
    fresh_seeds.generator = random.Random(seed)
    random.seed(seed)
    np.random.seed(seed)


def note_generators(modules):
    """Remembers the states of module-level random generators in tests."""
    for module in modules:
        result = [each for each in vars(module).values() if isinstance(each, np.random.RandomState)]
        if result:
            _generators[module] = [(each, each.get_state()) for each in result]


def forget_generators(module):
    """Forgets the generators of a module that is imported again."""
    _generators.pop(module, None)


def note_deleters(patch):
    """Records each created deleter until a MonkeyPatch ends."""
    init = CapturableResourceDeleter.__init__

    def record_init(self, destroy_resource_fn=None):
        init(self, destroy_resource_fn)
        _deleters.add(self)

    patch.setattr(CapturableResourceDeleter, "__init__", record_init)
