"""Files of a repository at a commit, from a git mirror."""

import os
import subprocess
from pathlib import Path


def mirror(directory: Path, repository: str) -> Path | None:
    """The git directory of a repository below `directory`: owner+name/ or owner/name/, bare, cloned, or in repo/."""
    owner, name = repository.split("/")
    for base in (directory / f"{owner}+{name}", directory / owner / name):
        for candidate in (base, base / "repo"):
            for git in (candidate / ".git", candidate):
                if (git / "HEAD").is_file():
                    return git
    return None


def extract(git: Path, commit: str, into: Path) -> list[str]:
    """Writes the files of a commit; returns the paths missing from the mirror.

    Raises:
      subprocess.CalledProcessError: the mirror has no such commit.
    """
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1"}
    command = ["git", "--git-dir", str(git)]
    listed = subprocess.run(
        [*command, "ls-tree", "-rz", commit], stdout=subprocess.PIPE, env=environment, check=True
    ).stdout
    entries = [entry.split(b"\t", 1) for entry in listed.split(b"\0") if entry]
    blobs = [(about.split()[2], path.decode()) for about, path in entries if is_file(about)]
    absent = []
    with subprocess.Popen(
        [*command, "cat-file", "--batch"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for blob, path in blobs:
            process.stdin.write(blob + b"\n")
            process.stdin.flush()
            said = process.stdout.readline().split()
            if said[1] == b"missing":
                absent.append(path)
                continue
            contents = process.stdout.read(int(said[2]))
            process.stdout.read(1)
            file = into / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(contents)
        process.stdin.close()
    return absent


def is_file(about: bytes) -> bool:
    """Whether a tree entry is a regular file, not a link or submodule."""
    mode, object_type, _ = about.split()
    return object_type == b"blob" and mode != b"120000"
