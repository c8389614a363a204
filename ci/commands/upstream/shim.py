"""Non-TensorFlow modules imported by TensorFlow's own tests: main functions, helpers missing from its package.

With `eager`, tests run as written, in graphs, in eager mode or in both; otherwise in graphs only, even in files that
begin with tf.enable_eager_execution(): TensorFlow determines which of their tests can.
"""

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import sys
import unittest

import tensorflow

IS_TFMINI = "tfmini" in (tensorflow.__file__ or "")

# Test-only helper modules of TensorFlow's package: tfmini loads them from the sources.
HELPERS = re.compile(
    r"\.(data\.kernel_tests\.test_base|framework\.(test_)?combinations|distribute\.(strategy_)?combinations"
    r"|distribute\.single_loss_example|eager\.test|hooks\.fake_summary_writer|keras\.keras_parameterized"
    r"|keras\.utils\.kernelized_utils|learn\.estimators\.test_data|[a-z_]*(testing|test|testing_test)_utils?(_v1)?)$"
)
FROM_TFMINI = ("tensorflow.python.framework.test_util", "tensorflow.contrib.eager.python.test_util")

# Package roots below which test helpers are found in the sources.
ROOTS = ("tensorflow", "tensorflow_estimator")


def install(sources, main, eager):
    """Redirects every test runner to `main`, and finds helpers in the sources."""
    from absl.testing import absltest
    from tensorflow.python.platform import googletest, test

    unittest.main = absltest.main = googletest.main = test.main = tensorflow.test.main = main
    parse_flags()
    if not eager:
        run_in_graphs_only()
    sys.meta_path.append(InSources(sources))
    if IS_TFMINI:
        sys.meta_path.insert(0, InSources(sources, HELPERS))
    if not eager and os.path.exists(
        os.path.join(sources, "tensorflow/python/framework/test_combinations.py")
    ):
        keep_graph_modes()


def parse_flags():
    """Parses absl's flags as its own main does."""
    from absl import flags

    flags.FLAGS([sys.argv[0]])


class InSources(importlib.abc.MetaPathFinder):
    """Finds modules in TensorFlow's sources: the given ones, or all that its package lacks."""

    def __init__(self, sources, names=None):
        self._sources = sources
        self._names = names

    def find_spec(self, name, path=None, target=None):
        if self._names and (not self._names.search(name) or name in FROM_TFMINI):
            return None
        root, *parts = name.split(".")
        if root not in ROOTS:
            return None
        base = os.path.join(self._sources, root, *parts)
        if os.path.exists(base + ".py"):
            return importlib.util.spec_from_file_location(name, base + ".py")
        if not self._names and os.path.isdir(base):  # a test-only package
            spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [base]
            return spec
        return None


def keep_graph_modes():
    """Restricts test-multiplying decorators to the variants that run in a session."""
    from tensorflow.python.framework import combinations, test_combinations

    every = test_combinations.generate

    def generate(combinations, test_combinations=()):
        selected = [
            combination
            for combination in combinations
            if combination.get("mode", "graph") == "graph"
            and combination.get("tf_api_version", 1) == 1
        ]
        if not selected:
            return unittest.skip("eager execution")
        return every(selected, test_combinations=test_combinations)

    test_combinations.generate = generate
    combinations.generate = functools.partial(
        generate, test_combinations=combinations.generate.keywords["test_combinations"]
    )


def run_in_graphs_only():
    """Makes decorators run only a test's graph half; skips eager execution where it raises."""
    from tensorflow.python.eager import context
    from tensorflow.python.framework import ops, test_util

    def unless_at_all(*args, **kwargs):
        """Replaces `enable_eager_execution`: the file's tests run in graph mode."""

    def no_eager_mode():
        """Replaces `context.eager_mode`: skips a test's eager half."""
        raise unittest.SkipTest("eager execution")

    def once(function=None, **options):
        return function if function is not None else lambda test_function: test_function

    def skip(function):
        return unittest.skip("another control flow")(function)

    def in_graph(func=None, config=None, use_gpu=True, **options):
        def decorator(method):
            @functools.wraps(method)
            def wrapper(self, *args, **kwargs):
                with self.test_session(use_gpu=use_gpu, config=config):
                    method(self, *args, **kwargs)

            return wrapper

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
            def wrapper(self, *args, **kwargs):
                with ops.Graph().as_default():
                    method(self, *args, **kwargs)

            return wrapper

        return decorator if func is None else decorator(func)

    def refuse(*args, **kwargs):
        raise RuntimeError("eager execution")

    ops.enable_eager_execution = unless_at_all
    context.eager_mode = no_eager_mode
    test_util.run_in_graph_and_eager_modes = in_graph
    test_util.run_all_in_graph_and_eager_modes = all_in_graph
    test_util.build_as_function_and_v1_graph = in_graph_of_its_own
    test_util.enable_control_flow_v2 = skip
    test_util.with_control_flow_v2 = once
    test_util.also_run_as_tf_function = lambda function: refuse
    for name in ("assert_no_new_pyobjects_executing_eagerly", "assert_no_new_tensors"):
        setattr(test_util, name, once)
