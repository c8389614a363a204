"""A SavedModel, and tool commands on it: runs under tfmini and TensorFlow, in separate folders."""

import contextlib
import io
import os

from tests.support import goldens

SHOW = ["show", "--dir", "served"]
RUN = ["run", "--dir", "served", "--tag_set", "serve", "--signature_def"]
COMMANDS = [
    [*SHOW],
    [*SHOW, "--all"],
    ["show", "--dir", "loops", "--all"],
    [*SHOW, "--tag_set", "serve"],
    [*SHOW, "--tag_set", "serve,gpu", "--signature_def", "serving_default"],
    ["show", "--dir", "nothing"],
    [*SHOW, "--tag_set", "gpu"],
    [
        *RUN,
        "serving_default",
        "--input_exprs",
        "x=np.array([[1, 0.5], [0, 1]])",
        "--outdir",
        "results",
    ],
    [*RUN, "serving_default", "--input_exprs", "x=np.ones([1, 2])", "--outdir", "results"],
    [*RUN, "serving_default", "--inputs", "x=results/y.npy", "--outdir", "results", "--overwrite"],
    [*RUN, "texts", "--input_examples", 'k=[{"a": [1]}, {"b": [2.5, 1.0]}]'],
    [*RUN, "texts", "--inputs", "wrong=results/y.npy"],
    [*RUN, "texts", "--inputs", "results/y.npy"],
    [*RUN, "texts", "--input_exprs", "ones"],
    [*RUN, "texts", "--input_examples", "k={}"],
    [*RUN, "texts", "--input_examples", 'k=[{"a": 1}]'],
    [*RUN, "texts"],
    ["scan", "--dir", "served"],
    ["scan", "--dir", "served", "--tag_set", "serve"],
]


def save(tf, folder):
    """Writes the SavedModels `served` and `loops`, which has functions, into a folder."""
    goldens.extract(goldens.golden_path("saved_models", "second.tar.xz"), folder, "loops/")
    signatures = tf.saved_model.signature_def_utils
    info = tf.saved_model.utils.build_tensor_info
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        k = tf.placeholder(tf.string, name="k")
        w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
        y, z = tf.matmul(x, w, name="y"), tf.identity(k, name="z")
        session.run(tf.global_variables_initializer())
        predict = "tensorflow/serving/predict"
        default = signatures.build_signature_def({"x": info(x)}, {"y": info(y)}, predict)
        texts = signatures.build_signature_def({"k": info(k)}, {"z": info(z)}, "of/texts")
        builder = tf.saved_model.builder.SavedModelBuilder(os.path.join(folder, "served"))
        both = {"serving_default": default, "texts": texts}
        builder.add_meta_graph_and_variables(session, ["serve"], both)
        builder.add_meta_graph(["serve", "gpu"], {"serving_default": default})
        builder.save()


def answers(main):
    """The output of each command in the working folder, followed by its error."""
    result = []
    for command in COMMANDS:
        printed = io.StringIO()
        error = ""
        with contextlib.redirect_stdout(printed):
            try:
                main(command)
            except Exception as caught:
                error = f"{type(caught).__name__}: {caught}"
        result.append([printed.getvalue(), error])
    return result
