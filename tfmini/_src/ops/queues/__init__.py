"""Queues: what a session keeps of one, the ops that fill and empty it, and the classes of the API."""
