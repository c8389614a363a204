#!/bin/sh
# Writes tests/golden/recorded_calls.json.xz: calls of public functions in TensorFlow's own tests, and TensorFlow
# 1.15.5's outcome of each call alone.
#
# usage: ci/record calls DIR FOLDER [FILE ...]     DIR as for ci/soak tensorflow_tests, with tensorflow/contrib; FILE: test
#                                                  files, spelled as in files.tsv (default: all of them);
#                                                  FOLDER keeps the recordings and outcomes, which a later run
#                                                  extends
#        ci/record calls --KIND FOLDER             tests/golden/recorded_KIND.json.xz: variations of the same calls by the
#                                                  module KIND: options, inputs, members, ways, pairs, elements,
#                                                  narrower, scopes
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
python=${TFMINI_REFERENCE:-$("$root/ci/reference")}
export CUDA_VISIBLE_DEVICES= OMP_NUM_THREADS=1 PYTHONHASHSEED=0 PYTHONPATH=$root TF_CPP_MIN_LOG_LEVEL=3
case $1 in --*)
    mkdir -p "$2"
    folder=$(cd "$2" && pwd)
    cd "$root"
    exec "$python" -W ignore -m tests.conformance.recorded_calls.write_golden "$1" "$folder" ;;
esac
sources=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
cd "$root"
if [ $# -gt 0 ]; then
    printf '%s\n' "$@"
else
    sed '/^#/d' ci/commands/upstream/files.tsv | cut -f2
fi | "$python" -W ignore ci/commands/upstream/call_recorder.py "$folder" --sources "$sources" --output "$folder/outcomes" --limit 40
exec "$python" -W ignore -m tests.conformance.recorded_calls.write_golden "$folder"
