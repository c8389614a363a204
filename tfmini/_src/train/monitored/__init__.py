"""Monitored sessions: initialized or recovered, with hooks around each step, checkpoints and summaries.

`session_manager` prepares a session, `scaffold` contains the required nodes, `session_creator` combines
both. `recoverable_session` wraps a session in layers (hooks, thread errors, recovery), `monitored_session`
assembles them. Hooks are in files by purpose. `supervisor` is the older API.
"""
