"""Results, notices and side effects of each mended call, one function at a time."""

import io
import pickle
import re
import types

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.programs.runner import (
    call_shims,
    file_shims,
    method_shims,
    tensor_element_shims,
)
from tfmini._src.programs.runner.call_shims import call, item


@pytest.fixture
def messages(monkeypatch):
    """The notices, each with its key."""
    result = []
    for module in (call_shims, file_shims, method_shims, tensor_element_shims):
        monkeypatch.setattr(module, "warn_once", lambda key, text: result.append((key, text)))
    return result


def test_slice_list_is_converted_to_tuple(messages):
    values = np.arange(12).reshape(3, 4)
    assert item(values, [slice(0, 2), 1]).tolist() == [1, 5]
    assert item(values, [1, slice(None)]).tolist() == [4, 5, 6, 7]
    assert item(values, [slice(1, 2), slice(2, 4)]).tolist() == [[6, 7]]
    text = "numpy no longer accepts a list of slices; it is converted to a tuple here."
    assert messages == [("slices", text)] * 3
    assert item(values, [0, 2]).tolist() == [[0, 1, 2, 3], [8, 9, 10, 11]]
    assert item(values, (slice(None), 0)).tolist() == [0, 4, 8] and item([3, 4], 1) == 4
    assert item({"a": 3}, "a") == 3
    with pytest.raises(TypeError, match="list indices"):
        item([1, 2], [slice(0, 1)])
    assert len(messages) == 3


@pytest.mark.parametrize(
    "dtype, kind, expected, meant",
    [
        (np.float32, float, True, "np.floating"),
        (np.int8, int, True, "np.signedinteger"),
        (np.float64, float, True, None),
        (np.int64, int, True, None),
        (np.complex64, complex, True, "np.complexfloating"),
        (np.float32, int, False, None),
        (np.uint8, int, False, None),
        (np.float32, np.floating, True, None),
        (np.float32, np.float64, False, None),
        (np.float32, "float", False, None),
        (np.int32, float, False, None),
        (bool, bool, True, None),
    ],
)
def test_abstract_dtype_comparisons(messages, dtype, kind, expected, meant):
    result = call(np.issubdtype, dtype, kind)
    assert result is expected or (result == expected and isinstance(result, (bool, np.bool_)))
    text = f"np.issubdtype(dtype, {getattr(kind, '__name__', '')}) is of one size today; {meant} is meant."
    assert messages == ([(f"issubdtype {kind}", text)] if meant else [])


def test_lists_with_tensors_become_object_arrays(messages):
    """As in NumPy 1.18; lists of unequal lengths and single tensors are other cases."""
    n = tf.constant(2)
    for values, shape in (
        ([1, n], (2,)),
        ((n,), (1,)),
        ([[n, 1], [2, 3]], (2, 2)),
        ([[n], [1, 2]], (2,)),
    ):
        array = call(np.asarray, values)
        assert array.dtype == object and array.shape == shape
    assert array.tolist() == [[n], [1, 2]] and call(np.array, [n, 1], dtype=object)[0] is n
    product, total = call(np.prod, [3, n, n]), method_shims.sum_generator(np.sum, [1, n])
    assert [product.op.type, total.op.type] == ["Mul", "AddV2"]
    assert tf.Session().run([product, total]) == [12, 3]
    with pytest.raises(NotImplementedError, match="Cannot convert a symbolic Tensor"):
        call(np.array, n)
    assert call(np.prod, [2, 3]) == 6 and {key for key, _ in messages} == {"tensors"}


def test_object_arrays_are_loaded(messages, tmp_path):
    """From a file, possibly open past its start; an archive reads its arrays lazily."""
    value = np.array([[1], [1, 2]], object)
    path, archive = str(tmp_path / "a.npy"), str(tmp_path / "b.npz")
    call(np.save, path, [[1], [1, 2]])
    call(np.savez, archive, [[3], [4, 5]], one=[1, 2], allow_pickle=True)
    assert [key for key, _ in messages] == ["ragged"] * 2
    messages.clear()
    assert call(np.load, path).tolist() == value.tolist()
    with open(path, "rb") as file:
        assert call(np.load, file).tolist() == value.tolist()
    assert (
        messages
        == [
            (
                "allow_pickle",
                "np.load reads objects only with allow_pickle=True, which is set here.",
            )
        ]
        * 2
    )
    with call(np.load, archive) as result:
        assert result["arr_0"].tolist() == [[3], [4, 5]] and result["one"].tolist() == [1, 2]
        assert sorted(result.files) == ["arr_0", "one"]
    for inputs, words in (((path,), {"allow_pickle": False}), ((path, None, False), {})):
        with pytest.raises(ValueError, match="allow_pickle=False"):
            call(np.load, *inputs, **words)
    assert len(messages) == 2


OLD = b"\x80\x02}U\x04nameU\x03\xe9t\xe9s."  # {"name": "\xe9t\xe9"} of Python 2


def test_python2_pickles_are_loaded(messages):
    file = io.BytesIO(b"before" + OLD + pickle.dumps(7))
    file.seek(6)
    assert call(pickle.load, file) == {"name": "été"} and call(pickle.load, file) == 7
    assert call(pickle.loads, OLD) == {"name": "été"}
    text = "Python 2 wrote this pickle; it is read with encoding='latin1' here."
    assert messages == [("pickle", text)] * 2
    assert call(pickle.loads, OLD, encoding="bytes") == {b"name": b"\xe9t\xe9"}
    with pytest.raises(UnicodeDecodeError, match="ascii"):
        call(pickle.loads, OLD, encoding="ascii")
    once = types.SimpleNamespace(read=io.BytesIO(OLD).read, readline=io.BytesIO(OLD).readline)
    with pytest.raises(UnicodeDecodeError, match="ascii"):
        call(pickle.load, once)
    assert len(messages) == 2


@pytest.mark.parametrize(
    "inputs, words, parts, is_said",
    [
        (("x*", "axbxxc"), {}, ["a", "b", "c"], True),
        (("x*", "axbxxc", 1), {}, ["a", "bxxc"], True),
        (("x*", "axbxxc"), {"maxsplit": 5}, ["a", "b", "c"], True),
        (("(x)*(y)?", "axbyc", 1), {}, ["a", "x", None, "byc"], True),
        (("(x)*(y)?", "axbyc"), {}, ["a", "x", None, "b", None, "y", "c"], True),
        (("X?", "axb", 0, re.I), {}, ["a", "b"], True),
        (("x*", ""), {}, [""], True),
        (("x*", "xx"), {}, ["", ""], True),
        ((b"x*", b"axb"), {}, [b"a", b"b"], True),
        ((re.compile("x*"), "axb"), {}, ["a", "b"], True),
        (("x", "axbxc", 1), {}, ["a", "bxc"], False),
        (("(x)", "axb"), {}, ["a", "x", "b"], False),
    ],
)
def test_empty_match_splits(messages, inputs, words, parts, is_said):
    assert call(re.split, *inputs, **words) == parts
    text = "re.split splits at empty matches since Python 3.7, but not here."
    assert messages == ([("split", text)] if is_said else [])


def test_text_conversions_and_keywords(messages):
    assert call_shims.decode("text", "ascii") == "text"
    assert call_shims.decode(b"\xe9", "latin1") == "é"
    assert call_shims.decode(b"\xff", errors="replace") == "\ufffd"
    assert call(np.reshape, np.arange(4), newshape=(2, 2)).tolist() == [[0, 1], [2, 3]]
    assert call(np.reshape, np.arange(4), newshape=(2, 2), order="F").tolist() == [[0, 2], [1, 3]]
    assert call(np.reshape, np.arange(4), (4, 1)).shape == (4, 1)
    renamed = np.lib.NumpyVersion(np.__version__) >= "2.1.0"
    assert [key for key, _ in messages] == ["newshape"] * 2 * renamed
    assert call(np.ndim, [[1], [1, 2]]) == 1 and call(np.size, ([1], [1, 2])) == 2
    assert call(np.shape, np.zeros((2, 3))) == (2, 3) and call(np.size, np.zeros((2, 3)), 1) == 3


@pytest.mark.filterwarnings("ignore:The binary mode of fromstring:DeprecationWarning")
def test_fromstring_reads_bytes(messages):
    assert call(np.fromstring, "1,2,3", np.int64, 2, sep=",").tolist() == [1, 2]
    assert not messages
    result = call(np.fromstring, b"\x01\x02\x03\x04", np.uint8, 3, sep="")
    assert result.tolist() == [1, 2, 3] and result.flags.writeable
    with pytest.raises(ValueError, match="multiple of element size"):
        call(np.fromstring, b"\x01\x02\x03", np.uint16)


def test_one_element_angles(messages):
    ndimage = pytest.importorskip("scipy.ndimage")
    image = np.arange(6.0).reshape(2, 3)
    expected = [[2.0, 5.0], [1.0, 4.0], [0.0, 3.0]]
    for inputs, words in (
        ((image, np.array([90])), {}),
        ((image,), {"angle": np.array([90.0])}),
    ):
        assert np.allclose(call(ndimage.rotate, *inputs, **words), expected)
    assert (
        messages
        == [
            (
                "rotate",
                "scipy.ndimage.rotate no longer accepts a one-element array; it is converted to a number here.",
            )
        ]
        * 2
    )
    assert np.allclose(call(ndimage.rotate, image, 90, order=1), expected)
    assert call(ndimage.zoom, image, 2).shape == (4, 6) and len(messages) == 2


def test_yaml_load_without_loader(messages):
    yaml = pytest.importorskip("yaml")
    assert call(yaml.load, "a: [1, 2.5]") == {"a": [1, 2.5]}
    assert messages == [("yaml", "yaml.load requires a loader; yaml.FullLoader is used here.")]
    assert call(yaml.load, "a: 1", yaml.BaseLoader) == {"a": "1"}
    assert call(yaml.load, "a: 1", Loader=yaml.SafeLoader) == {"a": 1}
    assert call(yaml.safe_load, "3") == 3 and len(messages) == 1


def test_hdf5_file_without_mode(messages, tmp_path):
    h5py = pytest.importorskip("h5py")
    path = str(tmp_path / "a.h5")
    with call(h5py.File, path) as file:
        assert file.mode == "r+"
        file["x"] = [1, 2]
        file.attrs["empty"] = np.zeros(0)
        file.attrs["n"] = 3
    with call(h5py.File, path) as file:
        assert file.mode == "r+" and file["x"][:].tolist() == [1, 2]
        empty = item(file.attrs, "empty")
        assert empty.size == 0 and not empty and item(file.attrs, "n") == 3
    for words in ({"mode": "r"}, {"mode": None}):
        with call(h5py.File, path, **words) as file:
            assert file.mode == ("r" if words["mode"] else "r+")
    assert [key for key, _ in messages] == ["h5py"] * 3
    with call(h5py.File, path, "r") as file:
        assert file.mode == "r" and len(messages) == 3
