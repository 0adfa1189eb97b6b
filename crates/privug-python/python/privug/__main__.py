"""`python -m privug` is the `privug` command."""

from ._command import main

main()
