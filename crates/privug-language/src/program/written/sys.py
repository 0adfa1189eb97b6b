"""Where what is printed goes; it is published in any case."""

stdout = 1
stderr = 2
