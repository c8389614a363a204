#!/usr/bin/env bash
# Format, lint, types, layers, the kernels, and the tests that the test command omits: those of the full tier and those
# that need tools of the extra `dev`. A change must pass this and the test command before review.
# Installs the tools of the extra `dev` into the environment whose `python` comes first on PATH.
#   ci/check               everything
#   ci/check --no-install  with the installed tools
#   ci/check --no-tests    without the tests of the full tier, which .ci/run runs in shards
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

failed=()
step() {
    local begin=$SECONDS
    echo "ci/check: $*"
    "$@" || failed+=("$*")
    echo "ci/check: $((SECONDS - begin)) s"
}
native() { # that it has passed, with what it printed
    local status=0
    wait "$native_process" || status=$?
    cat "$printed"
    # Again with the outcome, untruncated.
    [ "$status" -eq 0 ] || failed+=("$(grep -v '^SKIPPED' "$printed" | tail -n 25 | sed 's/^/    /')")
    return "$status"
}

tests=1 install=1
for option in "$@"; do
    case $option in
    --no-install) install= ;;
    --no-tests) tests= ;;
    *)
        echo "ci/check: unknown option $option" >&2
        exit 2
        ;;
    esac
done
if [ -n "$install" ]; then
    step python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
    [ "${#failed[@]}" -eq 0 ] || exit 1
fi
# Mostly single-process, like the steps up to its end: run in parallel, they use two cores.
printed=$(mktemp)
ci/check native >"$printed" 2>&1 &
native_process=$!
trap 'kill %1 2>/dev/null; rm -f "$printed"' EXIT
step python -m ruff format --check .
step python -m ruff check .
step python -m mypy
step python -m pytest --quiet tests/repository/test_layers.py
step ci/check kernels sm_75 sm_90 sm_120
step ci/check words
step ci/check docs
step native
[ -z "$tests" ] || step env TFMINI_ALL_TOOLS=1 python -m pytest --quiet -n auto --tier full -m "(full or tools) and not (gpu or reference)" tests

if [ "${#failed[@]}" -eq 0 ]; then
    echo "ci/check: clean"
    exit 0
fi
printf 'ci/check: failed: %s\n' "${failed[@]}"
exit 1
