"""Recurrent layers: cells, which compute one step, and layers, which apply a cell along time."""
