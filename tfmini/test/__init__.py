"""`tf.test`: a test case with sessions and assertions on arrays, numeric gradients, comparing graphs, benchmarks."""

from unittest import mock

from tfmini.autodiff.jacobians import compute_gradient, compute_gradient_error
from tfmini.names.namespaces import namespace as _namespace
from tfmini.test.benchmarks import Benchmark, benchmark_config
from tfmini.test.case import TestCase
from tfmini.test.clusters import create_local_cluster
from tfmini.test.gpus import (
    gpu_device_name,
    is_built_with_cuda,
    is_built_with_gpu_support,
    is_built_with_rocm,
    is_gpu_available,
)
from tfmini.test.running import assert_equal_graph_def, get_temp_dir, main, test_src_dir_path
from tfmini.test.stubs import StubOutForTesting

__all__ = [
    "Benchmark",
    "StubOutForTesting",
    "TestCase",
    "assert_equal_graph_def",
    "benchmark_config",
    "compute_gradient",
    "compute_gradient_error",
    "create_local_cluster",
    "get_temp_dir",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_built_with_gpu_support",
    "is_built_with_rocm",
    "is_gpu_available",
    "main",
    "mock",
    "test_src_dir_path",
]

_namespace(globals())
