"""Python 2 programs under `tfmini run` print the same as under Python 2.7."""

import pytest

from tests.programs.cli.test_run import run
from tests.programs.runner.python2 import recorded
from tests.support import goldens

pytest.importorskip("fissix", reason="no fissix here")


@pytest.mark.parametrize("name", recorded.PROGRAMS)
def test_output_matches_python2(tmp_path, name):
    process = run(recorded.write(name, tmp_path), cwd=tmp_path)
    assert process.stdout == goldens.read(recorded.PATH)[name], process.stderr
    assert not process.returncode
