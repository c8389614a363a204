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


def remote(directory: Path) -> set[str]:
    """External addresses from which pages load resources."""
    loaded = re.compile(
        r"<(?:script|img|link rel=.stylesheet.)[^>]*(?:src|href)=.(https?://[^\"' >]+)"
    )
    return {
        address
        for page in directory.rglob("*.html")
        for address in loaded.findall(page.read_text("utf-8"))
    }


def faults(directory: Path, browser: str) -> list[str]:
    """Page errors, one per line."""
    problems = [f"loaded from elsewhere: {address}" for address in sorted(remote(directory))]
    with tempfile.TemporaryDirectory() as screenshots:
        for index, (page, expected_text) in enumerate(PAGES.items()):
            address, path = (
                f"{directory.resolve().as_uri()}/{page}",
                Path(screenshots) / f"{index}.png",
            )
            if expected_text not in run(
                browser, address, "--virtual-time-budget=25000", "--dump-dom", OFFLINE
            ):
                problems.append(f"{page} does not show {expected_text!r}")
            take(browser, address, path, OFFLINE)
            if looks_empty(path):
                problems.append(f"{page} is empty")
        address, dark = f"{directory.resolve().as_uri()}/index.html", Path(screenshots) / "dark.png"
        take(browser, address, dark, OFFLINE, "--blink-settings=preferredColorScheme=0")
        if brightness(dark) > brightness(Path(screenshots) / "0.png") / 2:
            problems.append("index.html is not dark where a reader prefers that")
    return problems


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
