# A role a function. Its statements name the actions that the code calls (the enums of Sources/AWS), the things that it
# calls them on, and, apart from them, what Lambda itself does in the role's name.
resource "aws_iam_role" "function" {
  for_each = local.functions

  name               = "${var.name}-${each.key}"
  assume_role_policy = data.aws_iam_policy_document.lambda_assumes.json
}

data "aws_iam_policy_document" "lambda_assumes" {
  statement {
    sid     = "LambdaAssumesTheRole"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role_policy" "function" {
  for_each = local.policies

  name   = "${var.name}-${each.key}"
  role   = aws_iam_role.function[each.key].id
  policy = each.value
}

locals {
  policies = {
    api      = data.aws_iam_policy_document.api.json
    schedule = data.aws_iam_policy_document.schedule.json
    worker   = data.aws_iam_policy_document.worker.json
  }

  arn = {
    users       = "arn:${local.partition}:dynamodb:${var.region}:${local.account}:table/${local.users_table}"
    connections = "arn:${local.partition}:dynamodb:${var.region}:${local.account}:table/${local.connections_table}"
    # Secrets Manager ends a secret's ARN with six characters of its own choice.
    jwt_secret       = "arn:${local.partition}:secretsmanager:${var.region}:${local.account}:secret:${local.jwt_secret}-*"
    google_client_id = "arn:${local.partition}:secretsmanager:${var.region}:${local.account}:secret:${local.google_client_id_secret}-*"
    tokens           = "arn:${local.partition}:secretsmanager:${var.region}:${local.account}:secret:${local.token_secrets}*"
  }
}
