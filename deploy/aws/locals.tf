data "aws_caller_identity" "current" {}
data "aws_partition" "current" {}

locals {
  account   = data.aws_caller_identity.current.account_id
  partition = data.aws_partition.current.partition

  # The names that the existing backend uses; the code's defaults are the same.
  users_table             = "Users"
  connections_table       = "PayPulse"
  jwt_secret              = "PayPulseAppJWTSecret"   #checkov:skip=CKV_SECRET_6:The name of a secret, not its value
  google_client_id_secret = "Google-OAuth-Client-ID" #checkov:skip=CKV_SECRET_6:The name of a secret, not its value
  token_secrets           = "gmail/user/"
  kept_secrets            = "gmail/aside/" #checkov:skip=CKV_SECRET_6:The beginning of names, not a value

  # Every route that the code answers. API Gateway answers 404 to anything else.
  routes = [
    "POST /v1/auth/signup",
    "POST /v1/auth/login",
    "POST /v1/auth/gmail-tokens",
    "POST /v1/auth/gmail/store-tokens",
    "DELETE /v1/auth/gmail-tokens",
    "GET /v1/user/me",
    "DELETE /v1/user/me",
    "GET /healthz",
    "GET /readyz",
    "GET /openapi.json",
  ]
  sign_in_routes = ["POST /v1/auth/signup", "POST /v1/auth/login"]

  functions = {
    # 256 MB bring a seventh of a core; bcrypt wants more, and a call waits for it. 1,769 MB are one core.
    api = {
      description = "Answers the HTTP API"
      memory      = 1024
      timeout     = 28
      concurrency = var.concurrency.api
    }
    schedule = {
      description = "Finds what is due and hands each grant to the worker"
      memory      = 256
      timeout     = 120
      concurrency = 1
    }
    worker = {
      description = "Uses one grant a message"
      memory      = 256
      timeout     = 120
      concurrency = var.concurrency.worker
    }
    operator = {
      description = "Does what an operator invokes it for: connections listed, checked and restored, passwords set"
      memory      = 256
      timeout     = 120
      concurrency = -1
    }
  }

  # What the code's defaults do not say, or what has to agree with them. The session key and the client IDs are read
  # from Secrets Manager: as variables they would be in the state.
  environment = merge(var.settings, {
    USERS_TABLE               = local.users_table
    PAYPULSE_TABLE            = local.connections_table
    PAYPULSE_VAULT            = var.vault
    PAYPULSE_KMS_KEY          = aws_kms_key.tokens.arn
    PAYPULSE_GRANTS_QUEUE_URL = aws_sqs_queue.grants.url
  })
}
