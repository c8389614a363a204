"""Models and graphs that several programs build."""
