"""Mutants: small changes of tfmini, planted to see which of them the tests find (ci/mutants)."""
