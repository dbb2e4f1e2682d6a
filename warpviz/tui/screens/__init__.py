"""Screens: they own a state, hear keys, and hand the state to pure functions that draw."""
