"""Recurrent layers: cells, which compute a step, and layers, which apply a cell along time."""
