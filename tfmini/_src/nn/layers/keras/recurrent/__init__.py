"""Recurrent layers, which apply a cell along time, and cells, which compute one step."""
