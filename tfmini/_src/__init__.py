"""The implementation. Public names are in the neighboring namespaces, each a table of names imported from here.

Packages from the bottom up; each imports only from those above it in this list:

    base              dtypes, errors, shapes, nest, messages, locks, logs, tables of names
    graph             Graph, Operation, Tensor; op declarations, scopes, conversion, GraphDefs
    devices           backends: numpy, native code, oneDNN, CuPy; image and audio codecs
    formats           TensorFlow's files: records, tables, checkpoints
    autodiff          gradients
    ops               the ops, one directory per family
    variables         variables, their initializers and scopes
    functions         Defun, tf.function and functional control flow
    compiler          fetches to a plan's source: program, placement, passes, codegen
    executor          plan execution: schedule, state, capture, tracing
    cluster           servers, masters and workers over gRPC
    session           fetches, feeds and the values returned
    nn                layers, recurrent networks, losses, metrics
    probability       distributions, linear operators
    train             optimizers, checkpoints, input queues, monitored sessions, profiler, debugger
    data              tf.data, lookup tables
    autograph         Python's `if` and `while` as ops
    saved_model       SavedModels and frozen graphs
    distribute        strategies, Horovod's interface
    models            Keras, Estimators, feature columns
    contrib           names that exist only in tf.contrib
    programs          scripts that import tensorflow: the import hook, the runner, `check`, the command line

`tests/repository/test_layers.py` enforces this order and the order within the larger packages.
"""
