"""Generated input files for the programs: small, deterministic, and learnable."""

import functools
import gzip
import importlib
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

MNIST = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte")
MNIST += ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


@functools.cache
def digits(count: int) -> tuple[np.ndarray, np.ndarray]:
    """scikit-learn's digits as `count` slightly shifted images of 28 x 28 bytes, and their labels."""
    from sklearn.datasets import load_digits  # noqa: PLC0415  80 MB, not needed to read the tables

    bunch = load_digits()
    random = np.random.RandomState(1)
    images = np.zeros((count, 28, 28), np.uint8)
    labels = np.zeros(count, np.uint8)
    for index in range(count):
        sample = random.randint(len(bunch.target))
        small = Image.fromarray((bunch.images[sample] * 15).astype(np.uint8))
        top, left = random.randint(3, 6, size=2)
        images[index, top : top + 20, left : left + 20] = small.resize((20, 20), Image.BILINEAR)
        labels[index] = bunch.target[sample]
    return images, labels


def idx(array: np.ndarray) -> bytes:
    """An array of bytes in MNIST's idx format."""
    shape = np.array(array.shape, ">i4").tobytes()
    return bytes([0, 0, 8, array.ndim]) + shape + array.tobytes()


def mnist_files(directory: Path, compressed: bool, train: int = 7000, test: int = 500) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    images, labels = digits(7500)  # 5,000 of them for validation
    parts = (
        np.resize(images[:7000], (train, 28, 28)),
        np.resize(labels[:7000], train),
        np.resize(images[7000:], (test, 28, 28)),
        np.resize(labels[7000:], test),
    )
    for name, part in zip(MNIST, parts):
        if compressed:
            (directory / f"{name}.gz").write_bytes(gzip.compress(idx(part), 1, mtime=0))
        else:
            (directory / name).write_bytes(idx(part))


def mnist(directory: Path) -> None:
    """The four .gz files of MNIST."""
    mnist_files(directory, True)


def mnist_whole(directory: Path) -> None:
    """The four .gz files of MNIST in full size, with repeated images."""
    mnist_files(directory, True, 60_000, 10_000)


def mnist_whole_unpacked(directory: Path) -> None:
    """The same, unpacked."""
    mnist_files(directory, False, 60_000, 10_000)


def mnist_arrays(path: Path) -> None:
    """MNIST as a .npz file: rows of 784 floats and labels for training, validation and test."""
    images, labels = digits(7500)
    rows = (images.reshape(-1, 784) / 255).astype(np.float32)
    cut = {"train": slice(0, 4500), "valid": slice(4500, 6000), "test": slice(6000, 7500)}
    arrays = {f"X_{part}": rows[where] for part, where in cut.items()}
    np.savez(path, **arrays, **{f"y_{part}": labels[where] for part, where in cut.items()})


def empty(directory: Path) -> None:
    """A folder for the program's output."""
    directory.mkdir(parents=True, exist_ok=True)


WORDS = (
    "the king of the castle was a good man and his daughter loved the sea but not the storm so "
    "she went to the shore when winds were still and sang of ships that came and never left again"
).split()


def text(lines: int) -> Callable[[Path], None]:
    """A text file with `count` lines of English words."""

    def generate(path: Path) -> None:
        random = np.random.RandomState(2)
        with path.open("w", encoding="utf-8") as file:
            for _ in range(lines):
                words = [WORDS[i] for i in random.randint(len(WORDS), size=random.randint(4, 12))]
                file.write(" ".join(words).capitalize() + ".\n")

    return generate


def word_counts(path: Path) -> None:
    """A vocabulary: words with counts, after four special words."""
    marks = ["<PAD>", "<UNK>", "<S>", "</S>"]
    path.write_text("".join(f"{word}\t1000\n" for word in [*marks, *sorted({*WORDS})]))


def text_folder(name: str, lines: int) -> Callable[[Path], None]:
    """A folder with a text file of the given name."""

    def generate(directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        text(lines)(directory / name)

    return generate


def tasks_of_babi(directory: Path) -> None:
    """The first task of bAbI: the locations of people."""
    directory.mkdir(parents=True, exist_ok=True)
    random = np.random.RandomState(3)
    people, locations = (
        ("Mary", "John", "Daniel", "Sandra"),
        ("garden", "office", "kitchen", "hall"),
    )
    for part, stories in (("train", 100), ("test", 40)):
        lines = []
        for _ in range(stories):
            where: dict[str, tuple[str, int]] = {}
            for index in range(1, 11):
                if index % 3 == 0:
                    who = sorted(where)[random.randint(len(where))]
                    lines.append(f"{index} Where is {who}? \t{where[who][0]}\t{where[who][1]}")
                else:
                    who, location = people[random.randint(4)], locations[random.randint(4)]
                    where[who] = (location, index)
                    lines.append(f"{index} {who} went to the {location}.")
        (directory / f"qa1_single-supporting-fact_{part}.txt").write_text("\n".join(lines) + "\n")


def picture(height: int, width: int) -> Callable[[Path], None]:
    """An image of colored waves."""

    def generate(path: Path) -> None:
        rows, columns = np.mgrid[:height, :width]
        waves = [128 + 120 * np.sin(rows / (4 + k) + columns / (9 - k)) for k in range(3)]
        Image.fromarray(np.stack(waves, -1).astype(np.uint8)).save(path)

    return generate


def cifar_batches(count: int) -> list[dict[str, object]]:
    random = np.random.RandomState(4)
    batches = []
    for _ in range(6):
        labels = random.randint(10, size=count)
        data = random.randint(60, size=(count, 3072)) + labels[:, None] * 18
        batches.append({"data": data.astype(np.uint8), "labels": labels.tolist()})
    return batches


def cifar10(count: int) -> Callable[[Path], None]:
    """The folder cifar-10-batches-py with `count` images per batch."""

    def generate(directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        names = [f"data_batch_{index}" for index in range(1, 6)] + ["test_batch"]
        for name, batch in zip(names, cifar_batches(count)):
            (directory / name).write_bytes(pickle.dumps(batch, 2))
        label_names = "airplane automobile bird cat deer dog frog horse ship truck".split()
        meta = {"label_names": label_names}
        (directory / "batches.meta").write_bytes(pickle.dumps(meta, 2))

    return generate


def strokes(path: Path) -> None:
    """Handwriting: lists of (x, y, whether the pen is lifted) for 300 lines."""
    random = np.random.RandomState(7)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        np.stack([*random.randint(-40, 40, size=(2, 90)), random.rand(90) < 0.1], -1).astype(
            np.int16
        )
        for _ in range(300)
    ]
    path.write_bytes(pickle.dumps(lines, 2))


def vgg19(path: Path) -> None:
    """The VGG 19 network in MATLAB's file format, with random weights."""
    from scipy.io import savemat  # noqa: PLC0415  25 MB with scipy.linalg, likewise

    random = np.random.RandomState(10)
    sizes = [(2, 64), (2, 128), (4, 256), (4, 512), (4, 512)]
    layers: list[np.ndarray] = []
    depth = 3
    for count, width in sizes:
        for _ in range(count):
            kernel = random.randn(3, 3, depth, width).astype(np.float32)
            kernel *= np.float32(np.sqrt(2 / (9 * depth)))
            layers += [_vgg_layer(kernel, np.zeros((1, width), np.float32)), _vgg_layer(None, None)]
            depth = width
        layers.append(_vgg_layer(None, None))
    all_layers = np.empty((1, len(layers)), object)
    for index, layer in enumerate(layers):
        all_layers[0, index] = layer
    mean = np.full((224, 224, 3), 120.0)
    normalization = np.empty((1, 1), [("averageImage", object)])
    normalization[0, 0]["averageImage"] = mean
    savemat(path, {"layers": all_layers, "normalization": normalization})


def _vgg_layer(kernel: np.ndarray | None, bias: np.ndarray | None) -> np.ndarray:
    weights = np.empty((1, 2), object)
    weights[0, 0], weights[0, 1] = (0, 0) if kernel is None else (kernel, bias)
    layer = np.empty((1, 1), [("weights", object), ("type", object)])
    layer[0, 0]["weights"], layer[0, 0]["type"] = weights, "conv" if kernel is not None else "relu"
    return layer


NAMES = "$UNK$ $NUM$ jean pierre lives in new york the european union is a political and economic".split()
LETTERS = [chr(code) for code in range(ord("!"), ord("~"))]
TAGS = ["O", *(f"{prefix}-{kind}" for prefix in "BI" for kind in ("PER", "LOC", "ORG", "MISC"))]


def lines(texts: list[str]) -> Callable[[Path], None]:
    """A text file with one line per text."""
    return lambda path: path.write_text("\n".join(texts)) and None


def vectors(count: int, size: int) -> Callable[[Path], None]:
    """Word vectors, as `embeddings` of a .npz file."""

    def generate(path: Path) -> None:
        np.savez(path, embeddings=np.random.RandomState(11).randn(count, size))

    return generate


def clouds(directory: Path) -> None:
    """Point clouds in HDF5 files, and text files that list them: spheres and boxes of 40 kinds."""
    directory.mkdir(parents=True, exist_ok=True)
    h5py = importlib.import_module("h5py")  # also required by the program
    random = np.random.RandomState(12)
    for part, count in (("train", 24), ("test", 8)):
        labels = random.randint(40, size=(count, 1))
        points = random.randn(count, 2048, 3) * (1 + labels[:, :, None])
        with h5py.File(directory / f"{part}.h5", "w") as file:
            file["data"], file["label"] = points.astype(np.float32), labels.astype(np.uint8)
        listed = f"data/{directory.name}/{part}.h5\n"
        (directory / f"{part}_files.txt").write_text(listed * (1 if part == "test" else 2))
