"""The implementation. Public names are in the neighbouring namespaces, each a table of names imported from here.

From the bottom up; a room imports only from those above it in this list:

    base              dtypes, errors, shapes, nest, messages, locks, logs, notes on names
    graph             Graph, Operation, Tensor; how ops are declared, scopes, conversion, GraphDefs
    devices           what computes: numpy, native code, oneDNN, CuPy; codecs of pictures and sounds
    formats           TensorFlow's files: records, tables, checkpoints
    autodiff          gradients
    ops               the ops, a folder a family
    variables         variables, their initializers and scopes
    functions         Defun, tf.function and control flow made of functions
    compiler          from fetches to the text of a plan: program, placement, passes, codegen
    executor          a plan that runs: schedule, state, capture, tracing
    cluster           servers, masters and workers over gRPC
    session           fetches and feeds on the way in, values on the way out
    nn                layers, recurrent networks, losses, metrics
    probability       distributions, linear operators
    train             optimizers, checkpoints, queues of input, watched sessions, profiler, debugger
    data              tf.data, lookup tables
    autograph         Python's `if` and `while` as ops
    saved_model       SavedModels and frozen graphs
    distribute        strategies, Horovod's interface
    models            Keras, Estimators, feature columns
    contrib           what only tf.contrib has
    programs          scripts that import tensorflow: the import hook, the runner, `check`, the command line

`tests/repository/test_layers.py` holds the order, and that of the parts of the larger rooms.
"""
