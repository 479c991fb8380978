"""Numerals of other times."""
