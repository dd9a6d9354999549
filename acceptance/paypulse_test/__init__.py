"""What the acceptance tests share: starting the built binaries and talking to them."""
