"""What a command answers, and how people and scripts see it."""
