"""Attacks that cross the areas: what a hostile far end, a changed identity or a closed panel must not be able to do."""
