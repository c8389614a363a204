#!/usr/bin/env bash
# Runs the README's test command, or COMMAND, with a Python from Debian's packages, for versions missing on this machine.
#
# usage: ci/check debian [--suite SUITE] [--python 3.N] DIR [COMMAND...]
#
#   ci/check debian DIR                                            the tests, with the default Python of Debian sid
#   ci/check debian --python 3.15 DIR                              with another one of its packages
#   ci/check debian DIR python -m pytest -n 1 -m quick tests/graph
#
# DIR becomes a Debian root (sid unless --suite names another; 1 GB), with g++, git, a clone of this checkout's HEAD in
# /root/tfmini and an environment /root/environment-3.N; a later call updates the clone and reuses the rest. Requires root, for
# chroot, and debootstrap; packages come from debootstrap's default mirror. /proc and /dev/pts are mounted for the duration of
# the call only.
set -euo pipefail

usage() { sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; }

suite=sid version=
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage && exit ;;
        --suite) suite=${2:?--suite needs a name} && shift 2 ;;
        --python) version=${2:?--python needs a version} && shift 2 ;;
        -*) echo "ci/check debian: unknown option $1" >&2 && exit 2 ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || { usage >&2 && exit 2; }
directory=$(realpath -m "$1")
shift
[ $# -gt 0 ] || set -- python -m pytest -n auto

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
[ "$(id -u)" = 0 ] || { echo "ci/check debian: requires root, for chroot" >&2 && exit 1; }

if ! [ -x "$directory/usr/bin/g++" ]; then
    command -v debootstrap >/dev/null || { echo "ci/check debian: requires debootstrap" >&2 && exit 1; }
    # libhdf5-dev, pkg-config and Python headers: h5py has no wheel for the newest Python.
    packages=ca-certificates,g++,git,libhdf5-dev,pkg-config,python3-dev,python3-venv
    debootstrap --variant=minbase --include="$packages" "$suite" "$directory" >&2
fi
for file in /etc/resolv.conf /etc/pip.conf ${PIP_CERT:+"$PIP_CERT"}; do
    [ ! -e "$file" ] || install -D -m 644 "$file" "$directory$file"
done

clone=$directory/root/tfmini
[ -d "$clone" ] || git clone -q --no-hardlinks "$checkout" "$clone"
git -C "$clone" fetch -q "$checkout" HEAD
git -C "$clone" checkout -q --detach FETCH_HEAD

# In the root: the Python's package, the environment, and the command in it.
inside='
set -euo pipefail
version=$1
shift
if [ -n "$version" ] && ! command -v "python$version" >/dev/null; then
    apt-get -q -o Acquire::Check-Valid-Until=false update # mirrors of a fixed day are past their date
    apt-get -q install -y --no-install-recommends "python$version-dev" "python$version-venv"
fi >&2
python=python${version:-3}
environment=/root/environment-$("$python" -c "import sys; print(*sys.version_info[:2], sep=\".\")")
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment"
. "$environment/bin/activate"
cd /root/tfmini
python --version
commit=$(git -c safe.directory=/root/tfmini rev-parse HEAD)
if [ "$commit" != "$(cat "$environment/installed" 2>/dev/null)" ]; then
    pip install -q -e ".[test]"
    echo "$commit" > "$environment/installed"
fi
exec "$@"
'
# A separate mount namespace: the mounts end with the command. Terminals need /dev/pts.
mounts='mount -t proc proc "$1/proc" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"'
exec unshare --mount sh -c "$mounts"' && shift && exec "$@"' sh "$directory" \
    env -u PYTHONDONTWRITEBYTECODE -u PYTHONHOME -u PYTHONPATH -u VIRTUAL_ENV HOME=/root LC_ALL=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    chroot "$directory" bash -c "$inside" bash "$version" "$@"
