"""The evening's file: append-only, safely written, summed."""
