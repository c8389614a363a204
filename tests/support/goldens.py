"""Golden recordings on disk: JSON documents and folders of files, compressed with xz.

Also runs on Python 3.7, where TensorFlow 1.15.5 records. Output is deterministic: equal contents yield equal bytes.

`python -m tests.support.goldens FILE` prints a recording as text with one value per line. For readable diffs, run
`git config diff.golden.textconv 'python -m tests.support.goldens'`, which `.gitattributes` refers to.
"""

import io
import json
import lzma
import os
import sys
import tarfile

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")


def golden_path(*parts):
    """The path of a recording from its folders and name below `tests/golden`."""
    return os.path.join(FOLDER, *parts)


def read_bytes(path):
    """The decompressed contents of a file."""
    with lzma.open(str(path)) as file:
        return file.read()


def write_bytes(path, contents):
    """Writes bytes compressed to a file, creating its folder."""
    os.makedirs(os.path.dirname(str(path)), exist_ok=True)
    with open(str(path), "wb") as file:
        file.write(lzma.compress(contents, preset=9 | lzma.PRESET_EXTREME))


def read(path):
    """The value of a JSON document, NAME.json.xz."""
    return json.loads(read_bytes(path).decode())


def write(path, value, sort_keys=False):
    """Writes a value as a JSON document, NAME.json.xz."""
    document = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=sort_keys)
    write_bytes(path, document.encode())


def read_files(path):
    """The files of a folder, NAME.tar.xz, as {path in the folder: contents}."""
    with tarfile.open(str(path)) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}


def write_files(path, files):
    """Writes {path in the folder: contents} as NAME.tar.xz."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size = len(files[name])
            archive.addfile(member, io.BytesIO(files[name]))
    write_bytes(path, packed.getvalue())


def extract(path, folder, prefix=""):
    """Extracts the files of NAME.tar.xz whose names begin with `prefix` into a folder."""
    for name, contents in read_files(path).items():
        if not name.startswith(prefix):
            continue
        target = os.path.join(str(folder), name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(contents)


def folder_files(folder):
    """All files below a folder, as {path in the folder: contents}."""
    files = {}
    for parent, _, names in os.walk(str(folder)):
        for name in names:
            path = os.path.join(parent, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, str(folder))] = file.read()
    return files


def text(path):
    """A recording as lines of text."""
    if str(path).endswith(".tar.xz"):
        sizes = [f"{name} {len(data)} bytes" for name, data in sorted(read_files(path).items())]
        return "\n".join(sizes)
    if str(path).endswith(".json.xz"):
        return json.dumps(read(path), ensure_ascii=False, indent=0)
    if str(path).endswith(".xz"):
        return read_bytes(path).decode("latin1")
    with open(str(path), encoding="utf-8") as file:
        return file.read()


if __name__ == "__main__":
    print(text(sys.argv[1]))
