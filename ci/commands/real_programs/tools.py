"""Programs that demonstrate or use a tool: TensorBoard, servers, clusters, exported models; some in Python 2."""

from ci.commands.real_programs import inputs
from ci.commands.real_programs.rows import Program

PYTHON2 = ("fissix",)  # converts the program at run time

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
        needs="machines called pc-01 to pc-04",
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
        r"Accuracy:  (1\.0|0\.9)",
        ("--train", "simdata/linear_data_train.csv", "--test", "simdata/linear_data_eval.csv")
        + ("--num_epochs", "5", "--verbose"),
        libraries=PYTHON2,
    ),
    Program(
        "PacktPublishing/Deep-Learning-with-TensorFlow",
        "Chapter02/Python 2.7/feeding_parameters.py",
        r"^ *\[? *\[.*\]\]$",
        libraries=PYTHON2,
    ),
    Program(
        "kang205/SASRec",
        "main.py",
        r"^Done",
        ("--dataset", "Video", "--train_dir", "default", "--num_epochs", "1"),
        libraries=PYTHON2,
        name="kang205/SASRec",
    ),
    Program(
        "jorditorresBCN/FirstContactWithTensorFlow",
        "clustering.py",
        r"^centroids",
        libraries=(*PYTHON2, "seaborn"),
        needs="seaborn below 0.12 with matplotlib below 3.9",
    ),
    Program(
        "igul222/improved_wgan_training",
        "gan_toy.py",
        r"^iter 99\t",
        libraries=PYTHON2,
        seconds=300,
        endless=True,
    ),
)
