"""Programs that show or use a tool: TensorBoard, servers, clusters, models for others to use."""

from ci.real_programs import inputs
from ci.real_programs.rows import Program

TOOLS: tuple[Program, ...] = (
    Program(
        "dandelionmane/tf-dev-summit-tensorboard-tutorial",
        "mnist.py",
        r"\S",
        needs="summaries, projector",
        endless=True,
    ),
    Program(
        "ischlag/distributed-tensorflow-example",
        "example.py",
        r"\S",
        ("--job_name", "worker", "--task_index", "0"),
        needs="servers",
    ),
    Program(
        "sugyan/tensorflow-mnist",
        "mnist/regression.py",
        r"^0\.[5-9]\d*",
        data={"/tmp/data": inputs.mnist, "mnist/data": inputs.empty},
    ),
    Program(
        "exelban/tensorflow-cifar-10",
        "train.py",
        r"Global Step: +\d+, accuracy",
        data={"data_set/cifar_10/cifar-10-batches-py": inputs.cifar10(60)},
        needs="tf.layers, summaries",
        endless=True,
    ),
    Program(
        "jakeret/tf_unet",
        "demo/demo_toy_problem.ipynb",
        r"Epoch 0, Average loss",
        folder="",
        needs="summaries",
        endless=True,
    ),
    Program(
        "taehoonlee/tensornets",
        "tests/basics_test.py",
        r"\bOK\b|passed",
        folder="",
        needs="contrib.layers",
    ),
    Program(
        "guillaumegenthial/sequence_tagging",
        "train.py",
        r"Epoch 1 out of",
        needs="summaries",
        endless=True,
    ),
    Program(
        "charlesq34/pointnet",
        "train.py",
        r"\S",
        needs="convolutions of 3 dimensions, summaries",
        libraries=("h5py",),
        endless=True,
    ),
    Program(
        "initialized/tensorflow-tutorial",
        "mnist-slim/mnist.py",
        r"\S",
        needs="contrib.slim",
    ),
)
