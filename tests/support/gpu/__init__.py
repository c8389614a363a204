"""Emulated GPUs: sessions, launch checks, and launch counts."""
