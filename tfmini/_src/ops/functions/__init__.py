"""Ops that call: functions of graphs, Python functions; optional values."""
