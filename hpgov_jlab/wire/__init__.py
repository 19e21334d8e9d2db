"""The pages that leave, and the generator of the committed schemas."""
