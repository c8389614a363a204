#!/bin/sh
# Writes with TensorFlow 2
#
#   tfmini/_src/graph/graphdef/newer_attrs.txt     the attrs that it added to ops of 1.15.5
#   tests/golden/second_release/op_defs.pb.xz      its OpDefs of the ops of tfmini/_src/ops/newer_ops
#   tests/golden/second_release/op_calls.npz       results of the calls of tests/conformance/second_release/op_calls.py
#   tests/golden/second_release/attr_calls.npz     results of 1.15.5's ops with newer attrs: tests/conformance/second_release/attr_calls.py
#   tests/golden/second_release/models.tar.xz      the small SavedModels of tests/conformance/second_release/models.py
#
# TFMINI_SECOND_REFERENCE names the Python with TensorFlow 2 (`ci/reference --second` installs one).
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
second=${TFMINI_SECOND_REFERENCE:-$("$root/ci/reference" --second)}
folder=$(mktemp -d)
defs=$folder/op_list.pb
trap 'rm -rf "$folder"' EXIT
cd "$root"
unset PYTHONPATH
TF_CPP_MIN_LOG_LEVEL=3 "$second" -W ignore "$root/ci/commands/recorders/second_op_list.py" "$defs"
golden=tests/golden/second_release
mkdir -p "$golden"
"${PYTHON:-python3}" -m ci.commands.recorders.second_attrs "$defs"
"$second" tests/conformance/second_release/op_calls.py "$golden/op_calls.npz"
"$second" tests/conformance/second_release/attr_calls.py "$golden/attr_calls.npz"
"$second" tests/conformance/second_release/models.py "$folder/models" --small
cd "$folder/models"
PYTHONPATH=$root "${PYTHON:-python3}" -c '
from tests.support import goldens
goldens.write_files(goldens.golden_path("second_release", "models.tar.xz"), goldens.folder_files("."))'
