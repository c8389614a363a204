"""Sphinx's configuration: the Markdown pages of docs/ as a site, built by `ci/check docs`."""

import re
from pathlib import Path

project = "tfmini"
author = "The tfmini authors"
release = re.search(
    r'^version = "(.*)"$', (Path(__file__).parents[3] / "pyproject.toml").read_text(), re.MULTILINE
)[1]
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"tfmini {release}"
myst_heading_anchors = 3
myst_fence_as_directive = []
# Links to sources leave the site, for the checkout in which it is built.
suppress_warnings = ["myst.xref_missing", "misc.highlighting_failure"]
# The table at a page's top links to its names: as entries of the contents they would be copied into every page.
toc_object_entries = False
add_module_names = False
