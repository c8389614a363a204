"""Programs from public repositories, run unmodified: the list (`courses`, `papers`, `tools`) and their `inputs`.

None of them is kept here: a row says repository, commit and path, and git mirrors bring the files.
"""
