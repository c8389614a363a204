"""Programs from public repositories, run unmodified: the list (`courses`, `papers`, `tools`) and their `inputs`.

A row specifies repository, commit and path; git mirrors provide the files, none of which is part of this tree.
"""
