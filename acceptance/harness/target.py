"""Which of PayPulse's two homes a run is about: `PAYPULSE_TARGET=lambda` for AWS, else the self-hosted server."""

import os

ON_LAMBDA = os.environ.get("PAYPULSE_TARGET") == "lambda"

if ON_LAMBDA:
    from .lambda_server import LambdaServer as Server
else:
    from .server import Server

__all__ = ["ON_LAMBDA", "Server"]
