"""Traits of ops that are more than a flag: what passes and plans ask of a declaration."""
