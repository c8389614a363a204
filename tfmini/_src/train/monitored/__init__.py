"""Monitored sessions: initialized or recovered, with hooks around each step, checkpoints and summaries.

`session_manager` prepares a session, `scaffold` contains the nodes required for it, `session_creator` combines both.
`recoverable_session` wraps a session in layers (hooks, failing threads, lost machines), `monitored_session` assembles
them. Hooks are in files by purpose. `supervisor` is the older API for the same purpose.
"""
