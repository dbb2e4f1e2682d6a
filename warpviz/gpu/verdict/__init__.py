"""Predicted beside measured: whether they are equal, why not, and all that stands behind it. Pure."""
