//! Posteriors of random small tables against an enumeration of everything that could be.
