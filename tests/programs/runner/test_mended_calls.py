"""Each call that call_shims mends, alone and in this process: results, errors and notices."""

import io
import pickle
import re
import sys
import types

import numpy as np
import pytest

from tfmini._src.programs.runner import call_shims


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ((r"(\s*)", "a b  c", 1), ["a", " ", "b  c"]),
        ((r"(\s)*", "a b  c", 2), ["a", " ", "b", " ", "c"]),
        ((r"\s*", "a b  c", 0), ["a", "b", "c"]),
        ((re.compile("x*"), "xaxx"), ["", "a", ""]),
        (("x*", ""), [""]),
        (("x*", "abc"), ["abc"]),
        (("X*", "axb", 0, re.IGNORECASE), ["a", "b"]),
        (("(x)?(y)?", "axybz", 1), ["a", "x", "y", "bz"]),
        ((b"x*", b"axb"), [b"a", b"b"]),
        (("x+", "axxb"), ["a", "b"]),
        (("(x)", "axbxc", 1), ["a", "x", "bxc"]),
    ],
)
def test_splits(messages, arguments, expected):
    assert call_shims.call(re.split, *arguments) == expected
    is_empty = re.compile(arguments[0]).match(arguments[1][:0]) is not None
    text = "re.split splits at empty matches since Python 3.7, but not here."
    assert messages == [text] * is_empty


class Stream(io.BytesIO):
    """A file without seeking."""

    def seekable(self):
        return False


def test_consecutive_pickles_in_one_file(messages):
    old = b"\x80\x02U\x03\xe9t\xe9."
    file = io.BytesIO(pickle.dumps(1) + old + pickle.dumps("é") + old)
    assert [call_shims.call(pickle.load, file) for _ in range(4)] == [1, "été", "é", "été"]
    assert messages == ["Python 2 wrote this pickle; it is read with encoding='latin1' here."]
    for function, argument in ((pickle.load, Stream(old)), (pickle.loads, b"")):
        with pytest.raises((UnicodeDecodeError, EOFError), match="codec can't|Ran out of input"):
            call_shims.call(function, argument)
    for words in ({"encoding": "ascii"}, {"encoding": "utf-8"}):
        with pytest.raises(UnicodeDecodeError, match="codec can't decode"):
            call_shims.call(pickle.loads, old, **words)
    assert call_shims.call(pickle.loads, old, encoding="bytes") == b"\xe9t\xe9"


def test_object_arrays_load_unless_disallowed(messages, tmp_path, monkeypatch):
    path = str(tmp_path / "a.npy")
    np.save(path, np.array([{"k": 1}, None], object))
    np.savez(tmp_path / "b.npz", x=np.array([None], object), y=[1])
    with open(path, "rb") as file:
        assert call_shims.call(np.load, file).tolist() == [{"k": 1}, None]
    assert call_shims.call(np.load, path).tolist() == [{"k": 1}, None]
    assert call_shims.call(np.load, str(tmp_path / "b.npz"))["x"].tolist() == [None]
    assert messages == ["np.load reads objects only with allow_pickle=True, which is set here."]
    for arguments in ((path, None, False), (path,)):
        words = {} if len(arguments) > 1 else {"allow_pickle": False}
        with pytest.raises(ValueError, match="allow_pickle=False"):
            call_shims.call(np.load, *arguments, **words)
    with pytest.raises(FileNotFoundError, match="none.npy"):
        call_shims.call(np.load, str(tmp_path / "none.npy"))
    monkeypatch.setattr(call_shims, "is_safe", lambda: True)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        call_shims.call(np.load, path)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        call_shims.call(np.load, str(tmp_path / "b.npz"))["x"]


def named(module, name, function=lambda *args, **kwargs: (args, kwargs)):
    """A function with this module and name that reports its arguments."""

    def made(*args, **kwargs):
        return function(*args, **kwargs)

    made.__module__, made.__name__ = module, name
    return made


def test_hdf5_file_without_mode(messages):
    opened = []

    def file(name, **words):
        opened.append((name, words))
        if name in fails.get(words.get("mode"), ()):
            raise OSError(name)
        return words["mode"]

    fails = {"r+": ["only to read", "new"], "r": ["new"]}
    function = named("h5py._hl.files", "File", file)
    call = call_shims.call
    assert [call(function, n, driver="core") for n in ("old", "only to read", "new")] == [
        *("r+", "r", "w-"),
    ]
    assert opened[-1] == ("new", {"driver": "core", "mode": "w-"})
    assert messages == [
        "h5py.File without a mode is now read-only; it is writable here, as before."
    ]
    assert call(function, "x", mode="a") == "a" and call(function, "x", mode=None) == "r+"
    assert call(named("h5py._hl.files", "File"), "x", "w") == (("x", "w"), {})


def test_renamed_arguments(messages):
    call, one = call_shims.call, np.array([30])
    full = object()
    sys.modules.setdefault("yaml", types.ModuleType("yaml"))
    loader = getattr(sys.modules["yaml"], "FullLoader", None)
    sys.modules["yaml"].FullLoader = loader or full
    load = named("yaml", "load")
    assert call(load, "a") == (("a",), {"Loader": loader or full})
    assert call(load, "a", 3) == (("a", 3), {}) and call(load, "a", Loader=4)[1] == {"Loader": 4}
    rotate, zoom = named("scipy.ndimage", "rotate"), named("scipy.ndimage", "zoom")
    assert call(rotate, 1, one, 5, reshape=False) == ((1, 30, 5), {"reshape": False})
    assert call(rotate, 1, angle=one, order=2) == ((1,), {"angle": 30, "order": 2})
    assert call(zoom, 1, one)[0][1] is one
    many = np.array([1, 2])
    assert call(rotate, 1, many)[0][1] is many and call(rotate, 1, 45) == ((1, 45), {})

    def tsne(n_components=2, max_iter=9):
        return n_components, max_iter

    tsne.__module__ = "sklearn.manifold._t_sne"
    assert call(tsne, 3, n_iter=5) == (3, 5) and call(tsne, max_iter=4) == (2, 4)
    other = named("sklearn.cluster", "KMeans")
    assert call(other, n_iter=5) == ((), {"n_iter": 5})
    assert messages == [
        "yaml.load requires a loader; yaml.FullLoader is used here.",
        "scipy.ndimage.rotate no longer accepts a one-element array; it is converted to a number here.",
        "TSNE(n_iter=...) was removed; max_iter=... replaces it.",
    ]
    if loader is None:
        del sys.modules["yaml"]


def test_ragged_rows_become_object_arrays(messages):
    call, rows = call_shims.call, [[1], [1, 2]]
    for function in (np.array, np.asarray):
        assert call(function, rows).tolist() == rows
        with pytest.raises(ValueError, match="inhomogeneous"):
            call(function, rows, np.int32)
        with pytest.raises(ValueError, match="inhomogeneous"):
            call(function, rows, dtype=None)
    assert call(np.array, rows, copy=False).dtype == object
    assert call(np.array, ([1], [2, 3]), ndmin=2).shape == (1, 2)
    assert call(np.array, [300], np.uint8).tolist() == [44]
    assert call(np.array, [-1, 2], dtype="uint8", copy=False).tolist() == [255, 2]
    with pytest.raises(OverflowError, match="too large"):
        call(np.array, [10**400], np.float64)
    with pytest.raises(ValueError, match="invalid literal|could not convert"):
        call(np.array, ["x"], dtype=np.int32)
    assert [call(f, rows) for f in (np.ndim, np.shape, np.size)] == [1, (2,), 2]
    assert call(np.size, [[1, 2], [3, 4]], 0) == 2 and call(np.shape, 3) == ()
    saved = io.BytesIO()
    call(np.savez_compressed, saved, rows, 3, a=(rows, [0.5]), b=np.zeros(2))
    saved.seek(0)
    result = call(np.load, saved)
    assert sorted(result) == ["a", "arr_0", "arr_1", "b"]
    assert result["arr_0"].tolist() == rows and result["arr_1"] == 3
    assert result["a"].tolist() == [rows, [0.5]]
    assert messages[0] == ("numpy requires dtype=object for ragged lists; it is set here.")


def test_abstract_dtype_comparisons(messages):
    ask, integer = (lambda *a: call_shims.call(np.issubdtype, *a)), np.dtype(np.uint16)
    assert ask(np.float16, float) and ask("f4", float) and ask(np.int8, int) and ask("c8", complex)
    assert not any([ask(integer, int), ask(integer, float), ask(np.float32, complex)])
    assert ask(integer, np.integer) and not ask(np.float32, np.float64) and ask(np.bool_, bool)
    assert messages == [
        f"np.issubdtype(dtype, {a}) is of one size today; np.{b} is meant."
        for a, b in (
            ("float", "floating"),
            ("int", "signedinteger"),
            ("complex", "complexfloating"),
        )
    ]


def test_slice_lists_index_as_tuples(messages):
    values = np.arange(6).reshape(2, 3)
    slices = [slice(1, 2), slice(0, 2)]
    assert call_shims.item(values, slices).tolist() == [[3, 4]]
    assert messages == [
        "numpy no longer accepts a list of slices; it is converted to a tuple here."
    ]
    assert call_shims.item(values, [0, 1]).tolist() == values.tolist()
    assert call_shims.item({"a": 1}, "a") == 1 and call_shims.item([5, 6], 1) == 6
    assert call_shims.decode("é") == "é" and call_shims.decode("é".encode(), "utf8") == "é"
    assert call_shims.decode(b"\xe9", encoding="latin1", errors="strict") == "é"
    with pytest.raises(AttributeError, match="decode"):
        call_shims.decode(3)
