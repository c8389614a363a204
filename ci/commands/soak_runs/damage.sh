#!/usr/bin/env bash
# Reads damaged files of each kind that tfmini reads, and sends damaged messages to a server: each must yield a result or
# an error that reports the damage. The tests use a few hundred cases; this uses 10,000.
#
# usage: ci/soak damage [COUNT] [options of pytest]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
case "${1:-}" in
    -h | --help)
        sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
        exit
        ;;
    [1-9]*)
        count=$1
        shift
        ;;
esac
export TFMINI_DAMAGED_FILES=${count:-10000}
exec "${PYTHON:-python}" -m pytest --tier full -m damage -n auto "$@"
