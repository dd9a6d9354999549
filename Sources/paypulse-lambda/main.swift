print("paypulse-lambda")
