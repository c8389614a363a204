"""Structured op traits, as queried by passes and plans."""
