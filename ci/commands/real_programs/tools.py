"""Programs that show or use a tool: TensorBoard, servers, clusters, models for others to use; some in Python 2."""

from ci.commands.real_programs import inputs
from ci.commands.real_programs.rows import Program

SAYS_PYTHON2 = r"this is Python 2: `pip install 'tfmini-runtime\[python2\]'`"

TOOLS: tuple[Program, ...] = (
    Program(
        "dandelionmane/tf-dev-summit-tensorboard-tutorial",
        "mnist.py",
        r"Done training!",
        data={"/tmp/mnist_tutorial/data": inputs.mnist_whole},
        seconds=600,
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
        needs="machines that are called pc-01 to pc-04",
    ),
    Program(
        "sugyan/tensorflow-mnist",
        "mnist/regression.py",
        r"^0\.[5-9]\d*",
        data={"/tmp/data": inputs.mnist, "mnist/data": inputs.empty},
    ),
    Program(
        "jasonbaldridge/try-tf",
        "softmax_checkpoints.py",
        SAYS_PYTHON2,
        is_python2=True,
    ),
    Program(
        "PacktPublishing/Deep-Learning-with-TensorFlow",
        "Chapter02/Python 2.7/feeding_parameters.py",
        SAYS_PYTHON2,
        is_python2=True,
    ),
    Program(
        "kang205/SASRec",
        "main.py",
        SAYS_PYTHON2,
        is_python2=True,
        name="kang205/SASRec",
    ),
    Program(
        "jorditorresBCN/FirstContactWithTensorFlow",
        "clustering.py",
        SAYS_PYTHON2,
        is_python2=True,
    ),
    Program(
        "igul222/improved_wgan_training",
        "gan_toy.py",
        SAYS_PYTHON2,
        is_python2=True,
    ),
)
