"""Tests that need a card. All of them here are marked `gpu`: `ci/gpu` runs them, elsewhere they are skipped."""
