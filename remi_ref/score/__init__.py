"""A finished round: read, checked, counted line by line."""
