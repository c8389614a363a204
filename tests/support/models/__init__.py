"""Models and graphs shared by several programs."""
