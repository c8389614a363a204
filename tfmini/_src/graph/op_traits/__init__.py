"""Op traits that are more than a flag, as queried by passes and plans."""
