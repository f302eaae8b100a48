"""Kupa: Hearts under every rulebook, and the patience Heart to Heart."""

__version__ = "0.1.0"
