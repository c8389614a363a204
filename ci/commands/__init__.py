"""The commands of ci/: each is a file here that lists its subcommands, which are modules and scripts in the folders."""
