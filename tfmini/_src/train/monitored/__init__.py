"""Monitored sessions: initialized or recovered, with hooks around each step, checkpoints and summaries.

`session_manager` makes a session ready, `scaffold` has the nodes that it needs for it, `session_creator` join the two.
`recoverable_session` puts layers around a session (hooks, threads that fail, machines that go), `monitored_session` the
whole of it. Hooks stand in files by what they do. `supervisor` is the older way to the same.
"""
