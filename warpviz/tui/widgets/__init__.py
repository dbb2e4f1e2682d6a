"""Widgets: thin, and ignorant of memory."""
