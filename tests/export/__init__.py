"""What is written of a frame, of an access and of an animation."""
