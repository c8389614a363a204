#!/usr/bin/env bash
# CPU kernels for arm64 on an x86-64 machine: cross-compiled with warnings as errors, then the wheel check and the kernel
# tests under QEMU, with Debian's Python for arm64 and wheels from PyPI: about five minutes.
# Skipped if a tool is missing: apt-get install g++-aarch64-linux-gnu qemu-user-static
#   ci/check arm64 [OPTIONS OF PYTEST]    FOLDER in the environment keeps the downloads for the next run
#   ci/check arm64 --python ARGUMENTS     runs that Python with these arguments, on the tree as last compiled
# On an arm64 machine, `python -m pytest tests/devices/host/native` is sufficient.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

for tool in aarch64-linux-gnu-g++ qemu-aarch64-static apt-get dpkg; do
    if ! command -v "$tool" >/dev/null; then
        echo "ci/check arm64: skipped: $tool is not installed"
        exit
    fi
done
folder=${FOLDER:-}
if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
root=$folder/root site=$folder/site tree=$folder/tree

# Debian's packages for arm64, unpacked into a folder: installed packages and apt's own lists are left unchanged.
unpack_python() {
    local apt=$folder/apt version names
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/packages" "$folder/unpacked"
    : >"$apt/status"
    printf '%s\n' 'APT::Architecture "arm64";' 'APT::Architectures "arm64";' 'Acquire::Languages "none";' \
        "Dir::State::Lists \"$apt/lists\";" "Dir::State::Status \"$apt/status\";" "Dir::Cache \"$apt/cache\";" \
        'APT::Sandbox::User "root";' >"$apt/conf"
    export APT_CONFIG=$apt/conf
    apt-get -qq update
    version=$(apt-cache depends python3-minimal | grep -oE -m 1 'python3\.[0-9]+')
    names=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
        --no-enhances "$version-minimal" "lib$version-stdlib" libstdc++6 | grep -E '^[a-z]' | sort -u)
    # shellcheck disable=SC2086  # one word per name
    (cd "$apt/packages" && apt-get -qq download $names)
    for package in "$apt"/packages/*.deb; do dpkg -x "$package" "$folder/unpacked"; done
    unset APT_CONFIG
    mv "$folder/unpacked" "$root"
}

# Wheels for that Python: tfmini's dependencies, and those of test collection.
unpack_wheels() {
    local number
    number=$(basename "$(echo "$root"/usr/bin/python3.*[0-9])")
    mkdir -p "$folder/wheels" "$folder/unpacked"
    python - pyproject.toml >"$folder/requirements" <<'END'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
print(*re.findall(r'"(.*)"', re.search(r"^dependencies = \[(.*?)^\]", text, re.M | re.S)[1]), sep="\n")
END
    python -m pip download --quiet --disable-pip-version-check --only-binary=:all: --implementation cp \
        --python-version "${number#python}" --platform manylinux_2_28_aarch64 --platform manylinux_2_27_aarch64 \
        --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
        --dest "$folder/wheels" --requirement "$folder/requirements" pytest pytest-timeout attrs
    for wheel in "$folder"/wheels/*.whl; do python -m zipfile -e "$wheel" "$folder/unpacked"; done
    # Child processes run natively: Python starts itself through the script.
    printf 'import sys\n\nsys.executable = "%s"\n' "$folder/python" >"$folder/unpacked/sitecustomize.py"
    mv "$folder/unpacked" "$site"
}

write_python() {
    local binary
    binary=$(echo "$root"/usr/bin/python3.*[0-9])
    printf '#!/bin/sh\nPYTHONPATH="%s:%s" exec qemu-aarch64-static -L "%s" "%s" "$@"\n' \
        "$tree" "$site" "$root" "$binary" >"$folder/python"
    chmod +x "$folder/python"
}

[ -d "$root" ] || unpack_python
[ -d "$site" ] || unpack_wheels
[ -x "$folder/python" ] || write_python
if [ "${1:-}" = --python ]; then
    cd "$tree"
    "$folder/python" "${@:2}"
    exit
fi

mkdir -p "$tree"
git ls-files -z tfmini tests kernels docs ci pyproject.toml | tar -c --null --files-from=- | tar -x -C "$tree"
read -ra flags <<<"$(python - setup.py <<'END'
import ast, sys
tree = ast.parse(open(sys.argv[1], encoding="utf-8").read())
(value,) = (n.value for n in tree.body if isinstance(n, ast.Assign) and n.targets[0].id == "FLAGS")
print(ast.literal_eval(value.func.value))
END
)"
library=$tree/tfmini/_src/devices/host/native/libtfmini_generic.so
aarch64-linux-gnu-g++ "${flags[@]}" -s -Wall -Wextra -Werror -o "$library" kernels/cpu/*.cpp
echo "ci/check arm64: $(stat -c %s "$library") bytes without a warning"
cd "$tree"
"$folder/python" ci/commands/releases/wheel_works.py
"$folder/python" -m pytest --quiet -p no:cacheprovider tests/devices/host/native tests/devices/host/test_denormals.py \
    tests/compiler/passes/test_fuse_native.py tests/compiler/passes/test_fuse_updates_natively.py "$@"
