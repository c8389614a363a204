"""`pickle` and `cPickle`: Python 2 text decodes as Latin-1, files in any mode, protocols that Python 2 reads."""

from __future__ import annotations

import _compat_pickle
import codecs
import io
import pickle
from collections.abc import Mapping
from typing import Any

from tfmini._src.programs.runner.python2.byte_text import ByteText, as_bytes

_HIGHEST = 2

# Arrays name the modules that they had until numpy 2.
_compat_pickle.REVERSE_IMPORT_MAPPING.update(
    {f"numpy._core.{name}": f"numpy.core.{name}" for name in ("multiarray", "numeric")}
)


def _to_bytes(text: str) -> bytes:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return as_bytes(text)


class _Unpickler(pickle.Unpickler):
    """An unpickler that creates `ByteText` for the bytes in pickles of protocols 0 to 2."""

    def find_class(self, module: str, name: str) -> Any:
        target = super().find_class(module, name)
        return _encode if target is codecs.encode else target


def _encode(text: str, encoding: str) -> ByteText:
    return ByteText(codecs.encode(text, encoding))


def _load(file: Any, **kwargs: Any) -> Any:
    stream = getattr(file, "buffer", file)
    seekable = getattr(stream, "seekable", lambda: False)()
    position = stream.tell() if seekable else None
    if kwargs or position is None:
        return _Unpickler(stream, **kwargs).load()
    try:
        return _Unpickler(stream).load()
    except UnicodeDecodeError:
        stream.seek(position)
        return _Unpickler(stream, encoding="latin1").load()


def _loads(data: Any, **kwargs: Any) -> Any:
    data = _to_bytes(data) if isinstance(data, str) else data
    return _load(io.BytesIO(data), **kwargs)


def _protocol(protocol: int | None) -> int:
    return _HIGHEST if protocol is None or protocol < 0 else min(protocol, _HIGHEST)


def _dump(obj: Any, file: Any, protocol: int | None = 0) -> None:
    getattr(file, "buffer", file).write(pickle.dumps(obj, _protocol(protocol)))


def _dumps(obj: Any, protocol: int | None = 0) -> ByteText:
    return ByteText(pickle.dumps(obj, _protocol(protocol)))


_REPLACED_NAMES = {
    "HIGHEST_PROTOCOL": _HIGHEST,
    "dump": _dump,
    "dumps": _dumps,
    "load": _load,
    "loads": _loads,
}

MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "cPickle": (("pickle",), _REPLACED_NAMES),
    "pickle": (("pickle",), _REPLACED_NAMES),
}
