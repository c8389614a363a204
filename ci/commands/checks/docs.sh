#!/usr/bin/env bash
# Builds the pages below docs/, and those that the code makes, as a site: ci/check docs [FOLDER], with warnings as errors,
# and looks at five pages in a headless Chromium, if there is one.
# FOLDER is build/docs unless given. PYTHON names a Python with tfmini-runtime[docs].
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
python=${PYTHON:-python}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in *; do # what the pages link to
    [ "$name" = docs ] || ln -s "$PWD/$name" "$work"
done
cp -rp docs "$work"
"$python" -m ci.commands.site.api_pages "$work/docs"
"$python" -m sphinx -W --keep-going -q -j 2 -b html -c ci/commands/site "$work/docs" "${1:-build/docs}"
"$python" -m ci.commands.site.look "${1:-build/docs}"
