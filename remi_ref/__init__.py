"""A referee for the Romanian tile game Remi."""

__version__ = "0.1.0"
