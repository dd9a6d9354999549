"""Measures PayPulse side by side with what it is compared to. Run with `make bench`."""
