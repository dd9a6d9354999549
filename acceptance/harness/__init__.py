"""Starts the built programs, talks to them from outside, and leaves nothing behind."""
