"""Code published with papers, or reimplementing them."""

from ci.commands.real_programs import inputs
from ci.commands.real_programs.rows import Program

PAPERS: tuple[Program, ...] = (
    Program(
        "AYLIEN/gan-intro",
        "gan.py",
        r"(?m)^60: \d\.\d+\t\d",
        ("--num-steps", "60", "--minibatch"),
        libraries=("seaborn",),
    ),
    Program(
        "ericjang/draw",
        "draw.py",
        r"iter=0 : Lx: \d+",
        ("--data_dir", "/tmp/draw"),
        data={"/tmp/draw/mnist": inputs.mnist},
        endless=True,
    ),
    Program(
        "domluna/memn2n",
        "single.py",
        r"Testing Accuracy: 0\.\d+",
        ("--epochs", "10", "--data_dir", "data/tasks/"),
        data={"data/tasks": inputs.tasks_of_babi},
    ),
    Program(
        "PetarV-/GAT",
        "execute_cora.py",
        r"Training: loss = 1\.\d+",
        libraries=("networkx",),
        endless=True,
    ),
    Program(
        "tkipf/gcn",
        "gcn/train.py",
        r"Test set results: cost= \d\.\d+ accuracy= 0\.\d+",
        ("--epochs", "20"),
        folder="gcn",
        imports="",
        libraries=("networkx",),
    ),
    Program(
        "sherjilozair/char-rnn-tensorflow",
        "train.py",
        r"epoch 0\), train_loss = \d",
        ("--data_dir", "data/small", "--rnn_size", "32", "--batch_size", "10", "--num_epochs", "1"),
        data={"data/small": inputs.text_folder("input.txt", 400), "save": inputs.empty},
    ),
    Program(
        "hunkim/word-rnn-tensorflow",
        "train.py",
        r"epoch 0\), train_loss = \d",
        ("--data_dir", "data/small", "--rnn_size", "32", "--batch_size", "10", "--num_epochs", "1"),
        data={"data/small": inputs.text_folder("input.txt", 400), "save": inputs.empty},
    ),
    Program(
        "hardmaru/write-rnn-tensorflow",
        "train.py",
        r"epoch 0\), train_loss = -?\d",
        ("--rnn_size", "16", "--seq_length", "20", "--batch_size", "5", "--num_epochs", "1"),
        data={"data/strokes_training_data.cpkl": inputs.strokes},
        libraries=("svgwrite", "IPython"),
    ),
    Program(
        "martin-gorner/tensorflow-rnn-shakespeare",
        "rnn_train.py",
        r"TRAINING STATS: .* batch loss: \d",
        endless=True,
    ),
    Program(
        "philipperemy/tensorflow-phased-lstm",
        "mnist_phased_lstm.py",
        r"Forward-Backward pass took",
        data={"MNIST_data": inputs.mnist},
        endless=True,
    ),
    Program(
        "hwalsuklee/tensorflow-mnist-VAE",
        "run_main.py",
        r"^epoch 0: L_tot \d+",
        ("--dim_z", "2", "--num_epochs", "1"),
        data={"data": inputs.mnist_whole},
        seconds=300,
    ),
    Program(
        "hwalsuklee/tensorflow-mnist-cnn",
        "mnist_cnn_train.py",
        r"^Epoch: 0001, batch_index +0/ *20, validation accuracy 0\.\d+",
        data={"data": inputs.mnist_whole},
        seconds=400,
        endless=True,
    ),
    Program(
        "hwalsuklee/tensorflow-generative-model-collections",
        "main.py",
        r"Epoch: \[ *0\]",
        ("--gan_type", "GAN", "--dataset", "mnist", "--epoch", "1"),
        data={"data/mnist": inputs.mnist_whole},
        endless=True,
    ),
    Program(
        "carpedm20/DCGAN-tensorflow",
        "main.py",
        r"Epoch:\[ 0/ 1\] .* d_loss: \d+\.\d+",
        ("--dataset", "mnist", "--input_height=28", "--output_height=28", "--train", "--epoch=1"),
        data={"data/mnist": inputs.mnist_whole_unpacked},
        libraries=("cv2",),
        seconds=300,
        endless=True,
    ),
    Program(
        "dennybritz/cnn-text-classification-tf",
        "train.py",
        r"step 100, loss \d",
        ("--num_epochs", "20"),
        data={
            "data/rt-polaritydata/rt-polarity.pos": inputs.text(300),
            "data/rt-polaritydata/rt-polarity.neg": inputs.text(200),
        },
        seconds=200,
    ),
    Program(
        "anishathalye/neural-style",
        "neural_style.py",
        r"Iteration +2/ *2",
        ("--content", "in.png", "--styles", "style.png", "--output", "out.jpg")
        + ("--iterations", "2", "--network", "vgg.mat"),
        data={"in.png": inputs.picture(48, 64), "style.png": inputs.picture(40, 40)}
        | {"vgg.mat": inputs.vgg19},
    ),
    Program(
        "deepmind/learning-to-learn",
        "train.py",
        r"Mean Final Error",
        name="deepmind/learning-to-learn",
        endless=True,
        libraries=("sonnet",),
    ),
    Program(
        "deepmind/dnc",
        "train.py",
        r"Avg training loss",
        name="deepmind/dnc",
        endless=True,
        libraries=("sonnet",),
    ),
    Program(
        "guillaumegenthial/sequence_tagging",
        "train.py",
        r"acc \d+\.\d+ - f1 \d+",
        data={
            "data/words.txt": inputs.lines(inputs.NAMES),
            "data/chars.txt": inputs.lines(inputs.LETTERS),
        }
        | {"data/tags.txt": inputs.lines(inputs.TAGS)}
        | {"data/glove.6B.300d.trimmed.npz": inputs.vectors(len(inputs.NAMES), 300)},
        endless=True,
    ),
    Program(
        "charlesq34/pointnet",
        "train.py",
        r"eval accuracy: \d",
        ("--max_epoch", "1", "--num_point", "64", "--batch_size", "4"),
        data={"data/modelnet40_ply_hdf5_2048": inputs.clouds},
        libraries=("h5py",),
        endless=True,
    ),
    Program(
        "Kyubyong/transformer",
        "tf1.2_legacy/train.py",
        r"Graph loaded[\s\S]*100%.* 4/4 ",
        data={"tf1.2_legacy/corpora/train.tags.de-en.de": inputs.text(200)}
        | {"tf1.2_legacy/corpora/train.tags.de-en.en": inputs.text(200)}
        | {"tf1.2_legacy/preprocessed/de.vocab.tsv": inputs.word_counts}
        | {"tf1.2_legacy/preprocessed/en.vocab.tsv": inputs.word_counts},
        libraries=("regex",),
        seconds=300,
        endless=True,
    ),
)
