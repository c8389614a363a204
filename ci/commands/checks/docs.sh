#!/usr/bin/env bash
# Builds docs/ and the pages generated from the code as a site, with warnings as errors, and renders five pages in a
# headless Chromium, if installed: ci/check docs [FOLDER]
# FOLDER defaults to build/docs. PYTHON names a Python with tfmini-runtime[docs].
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
