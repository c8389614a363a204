"""Records TensorFlow's behaviour for the tests to compare against.

`ci/record NAME ...` records the named programs, snippets, failing programs and scenes (multi-step programs) again;
`ci/record` without a name records all of them."""

from ci.commands.subcommands import GPU_REFERENCE, REFERENCE, Subcommand, dispatch

SUBCOMMANDS = {
    "cases": Subcommand(
        "recorded programs by file name, and api, deprecations, eager, ...",
        "tests.support.programs.write_golden",
        python=REFERENCE,
    ),
    "compare": Subcommand(
        "differences between tfmini and the recorded programs", "tests.support.programs.compare"
    ),
    "show": Subcommand("prints a golden recording as text", "tests.support.goldens"),
    "calls": Subcommand(
        "arguments and results of the public calls in TensorFlow's own tests", "recorders/calls.sh"
    ),
    "op_defs": Subcommand(
        "signatures of all ops, and whether they have gradients",
        "ci.commands.recorders.op_defs",
        python=REFERENCE,
    ),
    "wrong_inputs": Subcommand(
        "errors of ops for wrong inputs", "tests.conformance.test_wrong_inputs"
    ),
    "forwarded": Subcommand(
        "op results that show a later assignment to an input variable",
        "tests.conformance.forwarded_rows",
    ),
    "function_table": Subcommand(
        "functions: their callers, state and gradients",
        "tests.functions.function_table",
        python=REFERENCE,
    ),
    "streams": Subcommand(
        "random numbers drawn by each random op for fixed seeds",
        "tests.devices.record_streams",
        python=REFERENCE,
    ),
    "timeline": Subcommand(
        "step statistics and timelines", "tests.session.timeline_cases", python=REFERENCE
    ),
    "profiles": Subcommand(
        "profiles of a step", "tests.train.profiler.profile_cases", python=REFERENCE
    ),
    "keras_layouts": Subcommand(
        "HDF5 files of Keras models", "tests.models.keras.saving.layouts", python=REFERENCE
    ),
    "architectures": Subcommand(
        "the models of tf.keras.applications",
        "tests.models.keras.applications.architectures",
        python=REFERENCE,
    ),
    "second_release": Subcommand(
        "ops and SavedModels of TensorFlow 2", "recorders/second_release.sh"
    ),
    "gpu_placements": Subcommand(
        "placements on GPUs, by tensorflow-gpu",
        "tests.support.programs.write_golden",
        ("gpus", "gpu_arrays", "gpu_loops"),
        GPU_REFERENCE,
    ),
    "mixed_precision": Subcommand(
        "nodes changed by mixed precision, by tensorflow-gpu",
        "tests.devices.cuda.passes.mixed_precision_models",
        python=GPU_REFERENCE,
    ),
    "python2": Subcommand(
        "output of programs under Python 2.7 (TFMINI_PYTHON2)",
        "tests.programs.runner.python2.recorded",
    ),
    "horovod": Subcommand(
        "two ranks under Horovod 0.21.3", "tests.distribute.horovod.write_golden"
    ),
}

if __name__ == "__main__":
    dispatch("record", __doc__ or "", SUBCOMMANDS, "cases")
