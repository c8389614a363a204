"""Renders pages of the built site in a browser, without a network: `-m ci.commands.site.look FOLDER`"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from ci.commands.pictures.browser import brightness, find, looks_empty, run, take

# Pages, and their required text.
PAGES = {
    "index.html": "runs TensorFlow 1.x programs",
    "guides/old_repository.html": "Case study: a 2017 repository",
    "how_it_works/passes.html": "compiler’s passes",
    "reference/api/tf.nn.html": "tf.nn.conv2d",
    "search.html?q=placeholder": "matching the search query",
}
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND"


def remote(folder: Path) -> set[str]:
    """External addresses from which pages load resources."""
    loaded = re.compile(
        r"<(?:script|img|link rel=.stylesheet.)[^>]*(?:src|href)=.(https?://[^\"' >]+)"
    )
    return {
        found
        for page in folder.rglob("*.html")
        for found in loaded.findall(page.read_text("utf-8"))
    }


def faults(folder: Path, browser: str) -> list[str]:
    """Page errors, one per line."""
    found = [f"loaded from elsewhere: {address}" for address in sorted(remote(folder))]
    with tempfile.TemporaryDirectory() as made:
        for number, (page, wanted) in enumerate(PAGES.items()):
            address, path = f"{folder.resolve().as_uri()}/{page}", Path(made) / f"{number}.png"
            if wanted not in run(
                browser, address, "--virtual-time-budget=25000", "--dump-dom", OFFLINE
            ):
                found.append(f"{page} does not show {wanted!r}")
            take(browser, address, path, OFFLINE)
            if looks_empty(path):
                found.append(f"{page} is empty")
        address, dark = f"{folder.resolve().as_uri()}/index.html", Path(made) / "dark.png"
        take(browser, address, dark, OFFLINE, "--blink-settings=preferredColorScheme=0")
        if brightness(dark) > brightness(Path(made) / "0.png") / 2:
            found.append("index.html is not dark where a reader prefers that")
    return found


def main() -> int:
    browser = find()
    if browser is None:
        print(
            "ci/check docs: Chromium is not installed: the pages were not rendered",
            file=sys.stderr,
        )
        return 0
    wrong = faults(Path(sys.argv[1]), browser)
    print(
        "\n".join(wrong)
        or f"{len(PAGES)} pages looked at in {Path(browser).name}, in light and dark"
    )
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
