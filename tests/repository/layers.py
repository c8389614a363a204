"""Architecture data: the packages of tfmini/_src/, and permitted late imports.

`test_layers.py` enforces them and `ci/generate layers` draws them. If the code suggests a better order, change the
tables in the same commit.
"""

# The packages of tfmini/_src/, lowest first. A folder of a package may be on a higher level than the package.
LEVELS = (
    ("base",),
    ("graph", "formats"),
    ("devices",),
    ("autodiff",),
    ("ops",),
    ("variables",),
    ("functions",),
    ("compiler",),
    # GPU additions to the compiler and to plans.
    ("devices/cuda/passes", "devices/cuda/reports"),
    ("devices/cuda/capture",),
    ("executor",),
    ("cluster",),
    ("session",),
    ("nn",),
    ("probability",),
    ("train",),
    ("data",),
    ("autograph",),
    ("saved_model",),
    ("distribute",),
    ("models",),
    ("contrib",),
    ("programs",),
)

# Parts of the large packages, lowest first: folders and files directly in them.
PARTS = {
    "base": (
        (
            "error_hints",
            "errors",
            "fetched_value",
            "flags",
            "locks",
            "nest",
            "package",
            "read_only",
            "records",
            "version",
        ),
        ("logs", "missing_package", "proto", "sysconfig"),
        ("app", "names", "process_metrics", "shapes"),
        ("dtypes",),
    ),
    "compiler": (
        ("interrupts", "kernel_context", "program"),
        ("analysis", "oom_report"),
        ("error_translation",),
        ("codegen", "placement"),
        ("fusion",),
        ("passes",),
        ("pipeline",),
    ),
    "executor": (
        ("after_failure", "schedule", "state", "tracing"),
        ("deadlines", "part_boundaries"),
        ("plan",),
        ("partial", "waiting_plan"),
        ("compile_plan", "asynchronous_run"),
        ("inline",),
    ),
    "nn": (
        ("ctc", "layers", "losses", "metrics"),
        ("rnn",),
    ),
    "probability": (("distributions", "linear_operators"),),
    "train": (
        ("global_step", "input_queues", "meta_graph", "optimizers", "profiler"),
        ("summary_v2",),
        ("checkpoints", "events"),
        ("monitored", "object_checkpoint"),
        ("debugger",),
    ),
    "data": (
        (
            "dataset_nest",
            "iterator_saveable",
            "lookup_tables",
            "registry",
            "seeds",
            "stats_aggregator",
        ),
        ("dataset_spec", "element_spec", "options"),
        ("iterator_base",),
        ("dataset", "iterator", "owned_iterator", "structured_function"),
        ("unary_datasets", "dataset_v1", "source_datasets"),
        ("from_generator", "function_datasets"),
        ("file_datasets",),
        ("experimental",),
    ),
    "saved_model": (
        (
            "constants",
            "graph_outputs",
            "graph_util",
            "main_op",
            "signature_constants",
            "structured_value",
            "tag_constants",
        ),
        ("saved_model_files", "tensor_info"),
        ("signature_def_utils",),
        ("assets",),
        ("builder", "loader"),
        ("frozen_graph", "simple_save", "objects"),
        ("raw_features",),
    ),
    "distribute": (
        (
            "cluster_resolver",
            "devices",
            "horovod",
            "input_contexts",
            "numpy_inputs",
            "reduce_op",
            "shared_variables",
        ),
        ("device_maps", "strategy_context"),
        ("distributed_values", "multi_steps", "replica_context", "strategy", "strategy_extended"),
        ("one_replica",),
        (
            "call_for_each_replica",
            "cross_device_ops",
            "default_strategy",
            "distributed_dataset",
            "distributed_variable",
        ),
        ("aggregating_variable", "all_reduce", "worker_inputs", "mirrored_variables"),
        ("one_device_strategy", "several_replicas"),
        ("mirrored_strategy", "parameter_server_strategy"),
        ("multi_worker_mirrored_strategy",),
    ),
    "models": (
        ("feature_column",),
        ("estimator",),
        ("keras",),
        ("test",),
    ),
    "models/keras": (
        ("losses", "optimizers", "utils"),
        ("callbacks", "metrics", "mixed_precision", "preprocessing"),
        ("datasets", "estimator_heads", "saving"),
        ("engine",),
        ("adapted_layers", "canned_estimators", "premade", "saved_model", "wrappers"),
        ("applications",),
        ("models",),
        ("export", "horovod", "multi_gpu_model"),
    ),
    "programs": (
        ("compat", "startup"),
        ("hook",),
        ("runner",),
        ("alias", "check", "serving"),
        ("cli",),
    ),
    "ops": (
        ("ops",),
        (
            "bounds",
            "collective",
            "framework_test_ops",
            "operands",
            "operators",
            "pending_ops",
            "ragged_dispatch",
            "raw_functions",
            "type_lists",
            "ufuncs",
        ),
        ("lists", "math", "quantization", "random", "raw_ops", "signal", "state", "string"),
        ("boosted_trees", "control_flow", "files", "functions", "ragged", "sdca", "sparse"),
        ("array", "checks", "lookup", "nn", "parsing"),
        ("image", "linalg", "queues", "summaries"),
        ("datasets", "newer_ops"),
        ("op_modules",),
    ),
}

# Libraries that may be imported inside a function: they load a driver, start threads, or are optional, so they are
# loaded on first use. Each has one home.
LAZY = {
    "cupy": "tfmini/_src/devices/",
    "cupyx": "tfmini/_src/devices/",
    "pynvml": "tfmini/_src/devices/",
    "cuda": "tfmini/_src/devices/",
    "grpc": "tfmini/_src/cluster/",
    "ray": "tfmini/_src/cluster/",
    "mpi4py": "tfmini/_src/distribute/horovod/mpi_reductions.py",
    "google": "tfmini/_src/base/proto/",
    "googleapiclient": "tfmini/_src/distribute/",
    "kubernetes": "tfmini/_src/distribute/",
    "matplotlib": "tfmini/",
    "PIL": "tfmini/_src/devices/host/codecs/pillow.py",
    "simplejpeg": "tfmini/_src/devices/host/codecs/simplejpeg.py",
    "re2": "tfmini/_src/devices/host/regular_expressions.py",
    "scipy": "tfmini/_src/devices/numpy/scipy.py",
    "h5py": "tfmini/_src/formats/hdf5.py",
    "safetensors": "tfmini/_src/formats/safetensors_files.py",
    "IPython": "tfmini/_src/models/keras/utils/plot_model.py",
    "yaml": "tfmini/_src/models/keras/saving/yaml_configs.py",
    "onnx": "tfmini/_src/programs/cli/onnx_export.py",
    "tf2onnx": "tfmini/_src/programs/cli/onnx_export.py",
    "onnxruntime": "tfmini/_src/programs/cli/onnx_export.py",
    "fissix": "tfmini/_src/programs/runner/python2/",
    # tfmini's own namespaces that most programs do not use.
    "tfmini": (
        "tfmini/_src/base/flags/flag_values.py",
        "tfmini/_src/programs/cli/launch.py",
        "tfmini/_src/programs/cli/serve.py",
        "tfmini/_src/programs/startup/import_core.py",
        "tfmini/_src/models/test/local_cluster.py",
        "tfmini/_src/programs/hook/child_processes.py",
    ),
    # Modules that would slow down the start of each child process.
    "importlib": (
        "tfmini/_src/programs/hook/child_processes.py",
        "tfmini/_src/devices/host/onednn/library.py",
    ),
    "hashlib": "tfmini/_src/ops/queues/queue.py",  # it loads OpenSSL
    **dict.fromkeys(
        (
            *(
                "base64",
                "concurrent",
                "difflib",
                "json",
                "ml_dtypes",
                "pathlib",
                "pprint",
                "random",
            ),
            *("tempfile", "uuid"),
        ),
        "tfmini/_src/base/names/lazy_imports.py",
    ),
}

# Expensive libraries that few programs use: `import scipy` takes 10 ms, `import scipy.linalg` 100 ms and 20 MB. Their
# home provides them as a module that loads on first use.
LATE = ("scipy",)
