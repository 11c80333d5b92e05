"""The guided conversation."""
