"""Emulated GPUs: sessions, checks of what was launched, and launch counts."""
