"""Mutation testing: small changes of tfmini, planted to see which of them the tests detect (ci/mutants)."""
