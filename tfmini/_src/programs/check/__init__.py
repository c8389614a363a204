"""Static check of a program: finds in its source what it would miss under the runner.

    for file in check.sources.files(["train.py", "models"]):
        for finding in check.programs.findings(file):
            print(file, finding.place, finding.name, finding.advice)

`source_files` reads scripts and notebooks, `uses` follows `tf` and its aliases through the syntax tree,
`name_resolution` says what each name is, by the tables of `programs.hook` that the runner's modules are made of. What
is decided at run time (`getattr(tf, name)`, a module that is handed on as an argument) is not seen.
"""
