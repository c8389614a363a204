"""Static check of a program: finds the names and features in its source that would fail under the runner.

    for file in check.sources.files(["train.py", "models"]):
        for finding in check.programs.findings(file):
            print(file, finding.place, finding.name, finding.advice)

`source_files` reads scripts and notebooks, `uses` follows `tf` and its aliases through the syntax tree,
`name_resolution` resolves each name with the tables of `programs.hook`, the source of the runner's own modules. Names
decided at run time (`getattr(tf, name)`, a module passed as an argument) are not covered.
"""
