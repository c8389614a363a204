"""What only a card can show. All tests here are marked `gpu`: `ci/gpu` runs them, elsewhere they are skipped."""
