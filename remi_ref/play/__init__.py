"""Turns and whole rounds as they are played."""
