"""Everything that is needed to make the models again: the renderer, the training, the measuring."""
