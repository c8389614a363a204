"""What TensorFlow's own tests import besides TensorFlow: main functions, helpers that its package lacks.

Files that begin with tf.enable_eager_execution() run in graphs, as all do: which of their tests can, TensorFlow says.
On TensorFlow itself it has tests run in graphs alone, as tfmini's `test_util` does.
"""

import functools
import importlib
import importlib.util
import os
import sys
import types
import unittest

import tensorflow

IS_TFMINI = "tfmini" in (tensorflow.__file__ or "")

# Packages of TensorFlow's sources whose test helpers its package lacks.
PACKAGES = (
    "framework",
    "kernel_tests",
    "kernel_tests.linalg",
    "kernel_tests.random",
    "kernel_tests.signal",
    "kernel_tests.testdata",
    "lib.io",
    "ops",
    "ops.linalg",
    "ops.losses",
    "ops.ragged",
    "training",
)

# Modules of helpers that tests alone import, which tfmini takes from the sources.
HELPERS = ("ops.spectral_ops_test_util",)


def install(sources, main):
    """Has every way to run tests call `main`, and helpers be found in the sources."""
    from absl.testing import absltest
    from tensorflow.python.framework import ops
    from tensorflow.python.platform import googletest, test

    unittest.main = absltest.main = googletest.main = test.main = tensorflow.test.main = main
    ops.enable_eager_execution = unless_at_all
    parse_flags()
    if not IS_TFMINI:
        run_in_graphs_only()
    for name in PACKAGES:
        add_folder(name, os.path.join(sources, "tensorflow", "python", *name.split(".")))
    for name in HELPERS if IS_TFMINI else ():
        path = os.path.join(sources, "tensorflow", "python", *name.split(".")) + ".py"
        if os.path.exists(path):
            load(name, path)


def unless_at_all(*args, **kwargs):
    """In place of `enable_eager_execution`: the file's tests run in graphs."""


def parse_flags():
    """The flags of absl, as its own main parses them."""
    from absl import flags

    flags.FLAGS([sys.argv[0]])


def add_folder(name, folder):
    """Has a package of TensorFlow find modules in a folder of the sources too."""
    full = "tensorflow.python." + name
    try:
        package = importlib.import_module(full)
    except ImportError:  # of tests alone
        package = sys.modules[full] = types.ModuleType(full)
    package.__path__ = list(getattr(package, "__path__", ())) + [folder]


def load(name, path):
    """Makes a module of a file of the sources, and an attribute of the package that it is in."""
    full = "tensorflow.python." + name
    spec = importlib.util.spec_from_file_location(full, path)
    module = sys.modules[full] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    package, _, last = full.rpartition(".")
    setattr(importlib.import_module(package), last, module)


def run_in_graphs_only():
    """Has TensorFlow's decorators run the graph's half of a test; eager execution raises."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops, test_util

    def once(function=None, **options):
        return function if function is not None else lambda found: found

    def skipped(function):
        return unittest.skip("another control flow")(function)

    def in_graph(func=None, config=None, use_gpu=True, **options):
        def decorator(method):
            @functools.wraps(method)
            def decorated(self, *args, **kwargs):
                with self.test_session(use_gpu=use_gpu, config=config):
                    method(self, *args, **kwargs)

            return decorated

        return decorator if func is None else decorator(func)

    def all_in_graph(cls):
        for name in dir(cls):
            if name.startswith("test") and name != "test_session":
                if not name.startswith(("testSkipEager", "test_skip_eager")):
                    setattr(cls, name, in_graph(getattr(cls, name)))
        return cls

    def in_graph_of_its_own(func=None):
        def decorator(method):
            @functools.wraps(method)
            def decorated(self, *args, **kwargs):
                with ops.Graph().as_default():
                    method(self, *args, **kwargs)

            return decorated

        return decorator if func is None else decorator(func)

    def refused(*args, **kwargs):
        raise RuntimeError("eager execution")

    test_util.run_in_graph_and_eager_modes = in_graph
    test_util.run_all_in_graph_and_eager_modes = all_in_graph
    test_util.build_as_function_and_v1_graph = in_graph_of_its_own
    test_util.enable_control_flow_v2 = skipped
    test_util.with_control_flow_v2 = once
    test_util.also_run_as_tf_function = lambda function: refused
    for name in ("assert_no_new_pyobjects_executing_eagerly", "assert_no_new_tensors"):
        setattr(test_util, name, once)
    context.eager_mode = refused
