"""The tree and its required wheels fit in the 64 MiB that rented machines accept."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 40 << 20  # bytes of all tracked files


def test_tracked_files_stay_within_40_mib():
    if not (ROOT / ".git").exists():
        pytest.skip("no git repository: nothing says which files are tracked")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    paths = [ROOT / name.decode() for name in listed.stdout.split(b"\0") if name]
    sizes = {path: path.stat().st_size for path in paths if path.is_file()}
    largest = sorted(sizes, key=sizes.get, reverse=True)[:5]
    shown = [f"{path.relative_to(ROOT)}: {sizes[path]:,}" for path in largest]
    assert sum(sizes.values()) <= LIMIT, f"{sum(sizes.values()):,} bytes; the largest: {shown}"
