"""Table rows, one per program."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

Generator = Callable[[Path], None]


@dataclass(frozen=True)
class Program:
    """A program of a repository, and what counts as running it.

    Attributes:
      repository: "owner/name" on GitHub; `commits.COMMITS` has the version.
      path: the script or notebook in it.
      shows: a regular expression that its output must match.
      arguments: its command line.
      folder: the working folder within the repository; the script's own unless given.
      data: its input, by location: a path within the repository, or one below /tmp, which is its own; each is
        written by a function of `inputs`.
      imports: the folder of the repository that holds its own packages, if they would have to be installed.
      copied: files of the repository required elsewhere in it, by location.
      needs: missing features of tfmini, in words; such a program waits.
      libraries: imports other than numpy, scipy, matplotlib and Pillow.
      seconds: its time limit.
      endless: it trains for hours: it runs if its output has shown what it must when the time is over.
      name: its name in the table; by default the path's last part.
    """

    repository: str
    path: str
    shows: str
    arguments: tuple[str, ...] = ()
    folder: str | None = None
    data: Mapping[str, Generator] = field(default_factory=dict)
    imports: str | None = None
    copied: Mapping[str, str] = field(default_factory=dict)
    needs: str = ""
    libraries: tuple[str, ...] = ()
    seconds: int = 120
    endless: bool = False
    name: str = ""

    @property
    def called(self) -> str:
        """The name on the command line and in the table."""
        return self.name or f"{self.repository.partition('/')[0]}/{Path(self.path).stem}"
