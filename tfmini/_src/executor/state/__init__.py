"""State that lives while programs run: resource containers, kernel contexts, interrupts; how a failure is told."""
