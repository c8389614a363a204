"""Tests that need a GPU. All are marked `gpu`: `ci/gpu` runs them, elsewhere they are skipped."""
