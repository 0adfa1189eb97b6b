"""A package whose parts are modules."""
