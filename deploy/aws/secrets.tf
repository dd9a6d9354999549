# The two configuration secrets. Terraform knows their names and never their values: who deploys puts those with
# `aws secretsmanager put-secret-value` (docs/aws.md), so that no state file and no plan holds them.

resource "aws_secretsmanager_secret" "jwt" {
  #checkov:skip=CKV_AWS_149:AWS's managed key; with a key of ours the older backend could not read it, and going back would fail
  #checkov:skip=CKV2_AWS_57:A new signing key ends every session, so that is an operator's decision (docs/aws.md)
  count = var.existing.jwt_secret ? 0 : 1

  name                    = local.jwt_secret
  description             = "Signs PayPulse's sessions (HS256)"
  recovery_window_in_days = 30
}

data "aws_secretsmanager_secret" "jwt" {
  count = var.existing.jwt_secret ? 1 : 0
  name  = local.jwt_secret
}

resource "aws_secretsmanager_secret" "google_client_id" {
  #checkov:skip=CKV_AWS_149:AWS's managed key; the client ID of a public client is no secret, and the older backend reads it
  #checkov:skip=CKV2_AWS_57:A public client's ID does not rotate
  count = var.existing.google_client_id_secret ? 0 : 1

  name                    = local.google_client_id_secret
  description             = "The client ID of the iOS client (public: there is no client secret)"
  recovery_window_in_days = 30
}

data "aws_secretsmanager_secret" "google_client_id" {
  count = var.existing.google_client_id_secret ? 1 : 0
  name  = local.google_client_id_secret
}
