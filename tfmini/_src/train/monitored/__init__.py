"""Monitored sessions, which are initialized or recovered and have hooks around each step, checkpoints and summaries.

`session_manager` prepares a session, `scaffold` contains the required nodes, `session_creator` combines
the two. `recoverable_session` wraps a session in layers (hooks, thread errors, recovery), `monitored_session`
assembles them. Each file of hooks serves one purpose. `supervisor` is the older API.
"""
