"""Runs real programs under tfmini and prints a table.

    ci/programs --from MIRRORS            all; the table goes to ci/results/ too
    ci/programs --from MIRRORS NAME...    those whose name contains one of these, printed only
    ci/programs --list                    names, and what the waiting ones need

MIRRORS holds a git repository for each row's: owner+name/ or owner/name/, bare or a clone. Each program runs in a
folder of its own that is removed again, with /tmp its own and no network (Linux's `unshare` sees to that); what it
reads is made by the functions of inputs.py. The exit status is 1 if a program that should run does not.
"""

import argparse
import datetime
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ci.real_programs import report
from ci.real_programs.courses import COURSES
from ci.real_programs.papers import PAPERS
from ci.real_programs.running import ROOT, Outcome, run
from ci.real_programs.tools import TOOLS

PROGRAMS = (*COURSES, *PAPERS, *TOOLS)


def main() -> int:
    """Runs what the command line names."""
    parser = argparse.ArgumentParser(
        prog="ci/programs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--from", dest="mirrors", type=Path, help="the folder of git mirrors")
    parser.add_argument("--list", action="store_true", help="print the names, run nothing")
    parser.add_argument("--output", action="store_true", help="print what each program prints")
    parser.add_argument("--jobs", type=int, default=1, help="how many programs run at once (1)")
    options = parser.parse_args()
    chosen = [
        program
        for program in PROGRAMS
        if not options.names or any(name in program.called for name in options.names)
    ]
    if options.list:
        for program in chosen:
            print(f"{program.called:50} {'needs ' + program.needs if program.needs else 'runs'}")
        return 0
    if options.mirrors is None:
        parser.error("--from FOLDER says where the git mirrors are")
    outcomes: list[Outcome] = []
    mirrors = options.mirrors.resolve()
    with ThreadPoolExecutor(options.jobs) as pool:
        for outcome in pool.map(lambda program: run(program, mirrors), chosen):
            if options.output:
                print(outcome.output)
            print(report.line(outcome), flush=True)
            outcomes.append(outcome)
    print(report.verdict(outcomes))
    if not options.names:
        today = datetime.date.today()
        path = ROOT / "ci" / "results" / f"programs-{today}.md"
        path.write_text(report.page(outcomes, today), encoding="utf-8")
        print(path)
    return int(any(report.disagrees(outcome) for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
