"""`tensorflow.python.keras`: internal names that libraries use."""
