"""The command line: commands that read their input, ask the core and return an `Answer`."""
