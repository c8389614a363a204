"""Monitored sessions: initialized or recovered, with hooks around each step, checkpoints and summaries.

`session_manager` makes a session ready, `scaffold` has the nodes that it needs for it, `session_creator` join the two.
`recoverable_session` puts layers around a session (hooks, threads that fail, machines that go), `monitored_session` the
whole of it. Hooks are in files by purpose. `supervisor` is the older API for the same.
"""
