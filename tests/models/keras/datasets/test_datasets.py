"""Datasets from small generated files: seeded orders, word limits; pickles that execute nothing."""

import pickle
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.models.keras.datasets import dataset_files
from tfmini.keras.datasets import boston_housing, imdb, reuters


class Harmful:
    def __reduce__(self):
        return print, ("run",)


def texts(rows):
    result = np.empty(len(rows), object)
    result[:] = rows
    return result


@pytest.fixture
def use(monkeypatch, tmp_path):
    def written(**arrays):
        path = tmp_path / "data.npz"
        np.savez(path, **arrays)
        monkeypatch.setattr(dataset_files, "fetch", lambda *_: str(path))

    return written


def test_imdb_reviews(use):
    rows = [[1, 2], [3, 4, 5], [6], [7, 8]]
    use(x_train=texts(rows), y_train=np.arange(4), x_test=texts(rows), y_test=np.arange(4))
    (x, y), (x_test, y_test) = imdb.load_data(num_words=9, skip_top=5)
    np.random.seed(113)
    orders = np.arange(4), np.arange(4)
    for order in orders:
        np.random.shuffle(order)
    np.testing.assert_array_equal(y, orders[0])
    np.testing.assert_array_equal(y_test, orders[1])
    retained = [[2, 2, 5], [2, 6, 7, 8], [2, 2], [2, 2, 2]]
    assert list(x) == [retained[i] for i in orders[0]]
    assert list(x_test) == [retained[i] for i in orders[1]]
    (x, _), (x_test, _) = imdb.load_data(num_words=9, start_char=None, oov_char=None, maxlen=3)
    assert sorted(map(list, [*x, *x_test])) == [[], [], [], [], [4, 5], [4, 5]]
    with pytest.raises(ValueError, match="no sequence was kept"):
        imdb.load_data(maxlen=1)
    with pytest.raises(TypeError, match="Unrecognized keyword arguments"):
        imdb.load_data(words=1)


def test_reuters_and_boston_housing(use):
    use(x=texts([[i + 1] * (i + 1) for i in range(10)]), y=np.arange(10))
    (x, y), (x_test, y_test) = reuters.load_data(test_split=0.3, start_char=None, index_from=0)
    order = np.arange(10)
    np.random.seed(113)
    np.random.shuffle(order)
    np.testing.assert_array_equal([*y, *y_test], order)
    assert len(y) == 7 and [len(row) for row in [*x, *x_test]] == list(order + 1)
    use(x=np.arange(20.0).reshape(10, 2), y=np.arange(10.0))
    (x, y), (x_test, y_test) = boston_housing.load_data()
    np.testing.assert_array_equal([*y, *y_test], order)
    np.testing.assert_array_equal(x_test[:, 0], 2 * y_test)
    assert len(x) == 8


def test_pickles_do_not_execute_code(use, tmp_path, capsys):
    use(x=texts([Harmful(), [1]]), y=np.arange(2))
    with pytest.raises(ValueError, match=r"not contain builtins\.print"):
        reuters.load_data()
    (tmp_path / "batch").write_bytes(pickle.dumps({b"data": Harmful()}))
    with pytest.raises(ValueError, match="is not a CIFAR batch"):
        dataset_files.cifar_batch(str(tmp_path / "batch"), "labels")
    assert capsys.readouterr().out == ""


def test_cifar_100(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    directory = tmp_path / ".keras" / "datasets" / "cifar-100-python"
    directory.mkdir(parents=True)
    data = np.arange(2 * 3072).reshape(2, 3072).astype(np.uint8)
    for name in ("train", "test"):
        batch = {b"data": data, b"fine_labels": [5, 6], b"coarse_labels": [1, 2]}
        (directory / name).write_bytes(pickle.dumps(batch, protocol=2))
    (x, y), (x_test, y_test) = tf.keras.datasets.cifar100.load_data("coarse")
    assert x.shape == x_test.shape == (2, 32, 32, 3) and (x.dtype, y.dtype) == (np.uint8, np.int64)
    np.testing.assert_array_equal(x[0, 0, 1], data[0, [1, 1025, 2049]])
    np.testing.assert_array_equal(y, [[1], [2]])


def test_get_file_caches_downloads(tmp_path, capsys):
    source = tmp_path / "words.txt"
    source.write_text("hello")
    url = source.as_uri()
    md5 = "5d41402abc4b2a76b9719d911017c592"
    options = {"cache_dir": str(tmp_path / "cache"), "file_hash": md5}
    path = Path(tf.keras.utils.get_file("w.txt", url, **options))
    assert path.read_text() == "hello"
    source.write_text("other")
    assert tf.keras.utils.get_file("w.txt", url, **options) == str(path)
    path.write_text("broken")
    with pytest.raises(OSError, match="Download it manually to"):
        tf.keras.utils.get_file("w.txt", url, **options)
    assert path.read_text() == "broken"
    source.write_text("hello")
    tf.keras.utils.get_file("w.txt", url, **options)
    assert path.read_text() == "hello"


@pytest.mark.filterwarnings("ignore:Python 3.14 will:DeprecationWarning")
@pytest.mark.parametrize("filters", [True, False] if sys.version_info < (3, 12) else [True])
def test_archive_extraction_stays_in_directory(tmp_path, monkeypatch, filters):
    """Python 3.11 has extraction filters since 3.11.4; 3.14 requires them."""
    (tmp_path / "w.txt").write_text("words")
    for name, inside in (("good", "good/w.txt"), ("bad", "../../w.txt")):
        with tarfile.open(tmp_path / f"{name}.tar.gz", "w:gz") as archive:
            archive.add(tmp_path / "w.txt", arcname=inside)
    if not filters:
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
    elif not hasattr(tarfile, "data_filter"):
        pytest.skip("this Python has no filters")
    where = {"cache_dir": str(tmp_path / "kept"), "untar": True}
    url = (tmp_path / "good.tar.gz").as_uri()
    path = Path(tf.keras.utils.get_file("good", url, **where))
    assert (path / "w.txt").read_text() == "words"
    url = (tmp_path / "bad.tar.gz").as_uri()
    with pytest.raises(tarfile.TarError, match="outside"):
        tf.keras.utils.get_file("bad", url, **where)
    assert not (tmp_path / "kept" / "w.txt").exists()


def test_equal_length_texts_form_a_matrix(use):
    use(x=texts([[1, 2], [3, 4], [5, 6], [7, 8]]), y=np.arange(4))
    (x, y), (x_test, _) = reuters.load_data(test_split=0.5, start_char=None, index_from=0)
    order = np.arange(4)
    np.random.seed(113)
    np.random.shuffle(order)
    rows = np.array([[1, 2], [3, 4], [5, 6], [7, 2]])[
        order
    ]  # the largest number is skipped, as in Keras
    assert x.dtype == x_test.dtype == np.dtype(int)
    np.testing.assert_array_equal(np.concatenate([x, x_test]), rows)
    np.testing.assert_array_equal(y, order[:2])


def test_cifar_10(monkeypatch, tmp_path):
    """Labels of CIFAR-10 are uint8, as in the arrays that TensorFlow allocates."""
    monkeypatch.setenv("HOME", str(tmp_path))
    directory = tmp_path / ".keras" / "datasets" / "cifar-10-batches-py"
    directory.mkdir(parents=True)
    for name, label in (("test_batch", 9), *((f"data_batch_{n}", n) for n in range(1, 6))):
        batch = {b"data": np.full((1, 3072), label, np.uint8), b"labels": [label]}
        (directory / name).write_bytes(pickle.dumps(batch, protocol=2))
    (x, y), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()
    assert x.shape == (5, 32, 32, 3) and x_test.shape == (1, 32, 32, 3)
    assert (y.dtype, y_test.dtype) == (np.uint8, np.uint8)
    assert y.tolist() == [[1], [2], [3], [4], [5]] and y_test.tolist() == [[9]]
    np.testing.assert_array_equal(x[:, 0, 0, 0], [1, 2, 3, 4, 5])
