"""Facts -> strips: pure functions that draw, tested without an app."""
