#!/usr/bin/env bash
# Builds and tests the wheel for this platform: its tag is py3-none-PLATFORM, it contains the kernels, it is smaller than
# the limit below, and it works in a fresh environment; so does one built without a compiler.
#   ci/release wheels [FOLDER]       writes the wheel to FOLDER (dist)
#   ci/release wheels --all [FOLDER] those for Linux on x86-64 and arm64, by cibuildwheel (needs Docker, and QEMU for the other)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
most=$((6000 * 1000))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

checked() { # FILE LIBRARIES: the wheel's name, size and contents
    local size libraries
    size=$(stat -c %s "$1")
    libraries=$(python -m zipfile -l "$1" | grep -c 'libtfmini_.*\.so' || true)
    echo "$(basename "$1"): $size bytes, $libraries libraries"
    [[ $(basename "$1") == tfmini_runtime-*-py3-none-*linux*.whl ]] || { echo "not py3-none-PLATFORM" >&2; exit 1; }
    [ "$size" -lt "$most" ] || { echo "more than $most bytes" >&2; exit 1; }
    if [ "$2" = none ]; then [ "$libraries" -eq 0 ]; else [ "$libraries" -ge 1 ]; fi
}

tried() { # FILE OPTIONS: it works in an environment of its own, where no compiler is; what it needs is installed once
    local python="$work/environment/bin/python" options=(--quiet --disable-pip-version-check --no-compile)
    if [ -x "$python" ]; then
        "$python" -m pip install "${options[@]}" --no-deps --force-reinstall "$1"
    else
        python -m venv "$work/environment"
        "$python" -m pip install "${options[@]}" "$1"
    fi
    (cd "$work" && PATH="$work/environment/bin" "$python" "$OLDPWD/ci/commands/releases/wheel_works.py" "${@:2}")
}

if [ "${1:-}" = --all ]; then
    folder=${2:-dist}
    python -m cibuildwheel --platform linux --config-file ci/commands/releases/wheels.toml --output-dir "$folder"
    for wheel in "$folder"/*.whl; do checked "$wheel" some; done
    exit
fi
folder=${1:-dist}
for name in source again; do  # no build of before goes into a wheel
    mkdir -p "$work/$name"
    git ls-files -z | tar -c --null --files-from=- | tar -x -C "$work/$name"
done
python -m pip wheel --quiet --no-deps --wheel-dir "$work" "$work/source"
checked "$work"/tfmini_runtime-*.whl some
tried "$work"/tfmini_runtime-*.whl
CC=false CXX=false python -m pip wheel --quiet --no-deps --no-cache-dir --wheel-dir "$work/plain" "$work/again"
checked "$work"/plain/tfmini_runtime-*.whl none
tried "$work"/plain/tfmini_runtime-*.whl --plain
mkdir -p "$folder"
cp "$work"/tfmini_runtime-*.whl "$folder"
