"""Queues: session resources, ops and API classes."""
