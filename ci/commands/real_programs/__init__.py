"""Programs of other people's repositories, run unmodified: which (`courses`, `papers`, `tools`), on what (`inputs`).

None of them is kept here: a row says repository, commit and path, and git mirrors bring the files.
"""
