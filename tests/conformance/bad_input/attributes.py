"""Invalid attrs together with invalid inputs, and ranks that only the kernel checks."""
