"""The best a rack can lay, exactly."""
