"""Programs that show or use a tool: TensorBoard, servers, clusters, models for others to use."""

from ci.real_programs import inputs
from ci.real_programs.rows import Program

TOOLS: tuple[Program, ...] = (
    Program(
        "dandelionmane/tf-dev-summit-tensorboard-tutorial",
        "mnist.py",
        r"Done training!",
        data={"/tmp/mnist_tutorial/data": inputs.mnist},
        needs="contrib.tensorboard",
        endless=True,
    ),
    Program(
        "exelban/tensorflow-cifar-10",
        "train.py",
        r"Epoch: 1/60",
        data={"data_set/cifar_10": inputs.cifar10(60)},
        endless=True,
    ),
    Program(
        "jakeret/tf_unet",
        "demo/demo_toy_problem.ipynb",
        r"Iter 0, Minibatch Loss",
        imports="",
        endless=True,
    ),
    Program(
        "ischlag/distributed-tensorflow-example",
        "example.py",
        r"Step: \d+",
        ("--job_name", "worker", "--task_index", "0"),
        needs="servers",
    ),
    Program(
        "sugyan/tensorflow-mnist",
        "mnist/regression.py",
        r"^0\.[5-9]\d*",
        data={"/tmp/data": inputs.mnist, "mnist/data": inputs.empty},
    ),
)
