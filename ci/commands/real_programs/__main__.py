"""Runs real programs under tfmini and prints a table.

    ci/soak programs --from MIRRORS            all programs; also writes the table to ci/results/
    ci/soak programs --from MIRRORS NAME...    programs whose name contains one of these, printed only
    ci/soak programs --list                    names, and the requirements of waiting ones

MIRRORS contains a git repository for each row: owner+name/ or owner/name/, bare or a clone. Each program runs in a
temporary folder, with a private /tmp and without a network (through Linux's `unshare`); the functions of inputs.py
generate its input. The exit status is 1 if a program that should run does not.

    ci/soak programs --libraries ARCHIVES                       libraries' own tests; writes a table to ci/results/
    ci/soak programs --libraries ARCHIVES --reference PYTHON    on TensorFlow 1.15.5: records the tests that pass there

ARCHIVES contains the libraries' sdists (`pip download --no-deps --no-binary :all: Keras==2.3.1`; libraries.py lists
them), --besides names a folder of packages that they (and programs) import and this Python lacks (`pip install
--no-deps --target`; not below /tmp). The tests run under a pytest older than 8, for which they were written. Only tests
that pass on TensorFlow 1.15.5 count.
"""

import argparse
import datetime
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from ci.commands.real_programs import libraries, report
from ci.commands.real_programs.courses import COURSES
from ci.commands.real_programs.papers import PAPERS
from ci.commands.real_programs.running import ROOT, Outcome, run
from ci.commands.real_programs.tools import TOOLS

PROGRAMS = (*COURSES, *PAPERS, *TOOLS)


def main() -> int:
    """Runs the programs or libraries selected on the command line."""
    parser = argparse.ArgumentParser(
        prog="ci/soak programs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--from", dest="mirrors", type=Path, help="folder of git mirrors")
    parser.add_argument("--list", action="store_true", help="only print the names")
    parser.add_argument("--output", action="store_true", help="print each program's output")
    parser.add_argument("--jobs", type=int, default=1, help="number of concurrent programs (1)")
    parser.add_argument("--libraries", type=Path, help="folder of library archives")
    parser.add_argument("--besides", type=Path, help="folder of packages imported by the libraries")
    parser.add_argument("--reference", metavar="PYTHON", help="a Python with TensorFlow 1.15.5")
    parser.add_argument("--patience", type=float, default=1.0, help="factor of all time limits (1)")
    options = parser.parse_args()
    if options.libraries is not None:
        return run_libraries(options)
    selected = [
        replace(program, seconds=int(program.seconds * options.patience))
        for program in PROGRAMS
        if not options.names or any(name in program.called for name in options.names)
    ]
    if options.list:
        for program in selected:
            print(f"{program.called:50} {'needs ' + program.needs if program.needs else 'runs'}")
        return 0
    if options.mirrors is None:
        parser.error("--from FOLDER is required: the git mirrors")
    outcomes: list[Outcome] = []
    mirrors = options.mirrors.resolve()
    besides = options.besides and options.besides.resolve()
    with ThreadPoolExecutor(options.jobs) as pool:
        for outcome in pool.map(lambda program: run(program, mirrors, besides), selected):
            if options.output:
                print(outcome.output)
            print(report.line(outcome), flush=True)
            outcomes.append(outcome)
    print(report.verdict(outcomes))
    path = ROOT / "ci" / "results" / "programs.md"
    print(report.changes(outcomes, path.read_text(encoding="utf-8")))
    if not options.names:
        today = datetime.date.today()
        path.write_text(report.page(outcomes, today), encoding="utf-8")
        print(path)
    return int(any(report.disagrees(outcome) for outcome in outcomes))


def run_libraries(options: argparse.Namespace) -> int:
    """Runs libraries' tests; returns 1 if a test that passes on TensorFlow fails and its library waits for nothing."""
    selected = [
        replace(library, seconds=int(library.seconds * options.patience))
        for library in libraries.LIBRARIES
        if not options.names or any(name in library.name for name in options.names)
    ]
    arguments = (options.libraries.resolve(), options.mirrors, options.besides)
    suites = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for suite in pool.map(
            lambda one: libraries.run(one, *arguments, options.reference), selected
        ):
            library = suite.library
            if options.output:
                for name, (how, said) in suite.outcomes.items():
                    print(how, name, said)
            if options.reference is not None:
                passing = libraries.write(library.passing, suite)
                print(library.name, passing, "pass", suite.said, flush=True)
                continue
            print(report.library_line(suite), flush=True)
            suites.append(suite)
    if options.reference is not None:
        return 0
    for suite in suites:
        print(report.causes(suite))
    if not options.names:
        today = datetime.date.today()
        path = ROOT / "ci" / "results" / "libraries.md"
        path.write_text(report.library_page(suites, today), encoding="utf-8")
        print(path)
    return int(any(s.passed < len(s.wanted) and not s.library.needs for s in suites))


if __name__ == "__main__":
    sys.exit(main())
