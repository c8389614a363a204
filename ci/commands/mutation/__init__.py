"""Mutation testing: small changes to tfmini, planted to find out whether the tests detect them (ci/mutants)."""
