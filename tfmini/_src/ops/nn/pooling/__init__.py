"""Max and average pooling in one, two and three dimensions."""
